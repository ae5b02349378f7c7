//! RC4: keys and plaintexts are secret, ciphertexts the same in all runs.

use cipherloom::batch::{Batch, Flat, Keys, Outcome, Span};
use cipherloom::{Policy, Rc4};
use cipherloom_testkit::rng::Rng;
use cipherloom_testkit::stack::look_below;
use cipherloom_testkit::ways::Way;

use crate::watch::{RUNS, Run, Watch};

/// Streams: key set-up, pieces, and batches.
pub(crate) fn rc4(watch: &mut Watch, way: Way) {
    let mut rng = Rng::new(4);
    for key_len in [1, 5, 16, 256] {
        for len in [1, 8, 85, 3000] {
            let public = rng.bytes(len);
            let secrets: [(Vec<u8>, Vec<u8>); RUNS] = std::array::from_fn(|_| {
                let key = rng.bytes(key_len);
                let mut plain = public.clone();
                let mut stream = Way::Fastest.stream(&key);
                stream.skip(5).unwrap();
                stream.apply(&mut plain).unwrap();
                (key, plain)
            });
            let (mut key, mut buffer) = (secrets[0].0.clone(), public.clone());
            watch.watch(&(way, "RC4", key_len, len), |stack, run| {
                let (own, plain) = &secrets[run];
                key.copy_from_slice(own);
                buffer.copy_from_slice(plain);
                let residue = stack.run(|| {
                    look_below();
                    let stream = match way {
                        Way::Fastest => Rc4::from_slice(&key),
                        Way::ConstantTime => Rc4::with_policy(&key, Policy::ConstantTime),
                        Way::Forced(backend) => Rc4::with_backend(&key, backend),
                    };
                    let mut stream = stream.unwrap();
                    stream.skip(5).unwrap();
                    let (first, second) = buffer.split_at_mut(len / 3);
                    stream.apply(first).unwrap();
                    stream.apply(second).unwrap();
                });
                assert_eq!(buffer, public);
                let secret = vec![("key", own.clone()), ("plaintext", plain.clone())];
                (residue, Run { public: Vec::new(), secret })
            });
        }
    }
    for count in [1, 2, 3, 5, 9] {
        let spans: Vec<Span> = (0..count).map(|n| Span::new(300 * n, 20 + 30 * n)).collect();
        let public = rng.bytes(300 * count);
        let secrets: [(Vec<u8>, Vec<u8>); RUNS] = std::array::from_fn(|_| {
            let (keys, mut plain) = (rng.bytes(7 * count), public.clone());
            for (n, span) in spans.iter().enumerate() {
                let data = &mut plain[span.offset..][..span.len];
                Way::Fastest.stream(&keys[7 * n..][..7]).apply(data).unwrap();
            }
            (keys, plain)
        });
        let (mut keys, mut buffer) = (secrets[0].0.clone(), public.clone());
        let mut results: Vec<Outcome> = vec![Ok(0); count];
        watch.watch(&(way, "RC4, batch", count), |stack, run| {
            let (own, plain) = &secrets[run];
            keys.copy_from_slice(own);
            buffer.copy_from_slice(plain);
            let data = &mut buffer[..];
            let mut flat = Some(Flat { keys: Keys::Each(&keys), ivs: &[], data, spans: &spans });
            let batch = way.batch(Batch::rc4());
            let residue =
                stack.run(|| batch.encrypt_flat(flat.take().unwrap(), &mut results).unwrap());
            assert_eq!(buffer, public);
            let secret = vec![("key", own.clone()), ("plaintext", plain.clone())];
            (residue, Run { public: Vec::new(), secret })
        });
    }
}
