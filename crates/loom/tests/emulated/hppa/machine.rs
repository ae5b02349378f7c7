//! A machine of 64-bit PA-RISC without a system, on which kernels run in wide mode: the memory is a file,
//! which is looked at when the machine has halted.
//!
//! All but a few words lies around an address that is a multiple of 2^32, so that whatever drops, or adds
//! to, the upper half of an address or of a place in the code reads or writes something else.

use std::fmt::Write as _;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::program::assemble;
use crate::folder::Folder;

/// The emulator: QEMU 8.2 or later. `CIPHERLOOM_QEMU_SYSTEM_HPPA` if set, else that of `cargo xtask
/// setup`, else the one of the path.
fn emulator() -> PathBuf {
    const OURS: &str =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tools/bin/qemu-system-hppa");
    match std::env::var_os("CIPHERLOOM_QEMU_SYSTEM_HPPA") {
        Some(named) => named.into(),
        None if Path::new(OURS).exists() => OURS.into(),
        None => "qemu-system-hppa".into(),
    }
}

/// An argument of a call.
#[derive(Debug)]
pub(super) enum Argument {
    /// All bits of a register.
    Word(u64),
    /// A pointer to memory: before the call, and as it must be after it.
    Region(Vec<u8>, Vec<u8>),
}

/// A call of the kernel at a place of the code.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) what: String,
    pub(super) place: u64,
    pub(super) arguments: Vec<Argument>,
}

/// The multiple of 2^32 around which all lies.
const MIDDLE: u64 = 3 << 32;
/// Memory of the machine: only what is written takes room in the file.
const MEMORY: u64 = 16 << 30;
/// Where the machine begins, and the words that its program goes by: the next call's record, how many
/// there are, the stack.
const START: u64 = 0x10000;
const WORDS: u64 = 0x20000;
/// Words of a call's record: the kernel, four arguments, how many registers came back changed.
const RECORD: u64 = 6;
/// What memory is full of around everything.
const FILL: u8 = 0xc3;
/// QEMU's instruction that ends it.
const HALT: u32 = 0xfffd_ead0;

/// The program of the machine: it goes to wide mode, which a return from an interruption does, and makes
/// the calls.
fn program() -> String {
    let mut text =
        String::from("\t.level 2.0w\n\t.text\n\trsm 0,%r0\n\tb,l .Lhere,%r3\n\tnop\n.Lhere:\n");
    text +=
        "\tldo .Lwide-.Lhere(%r3),%r3\n\tdepwi 0,31,2,%r3\n\tmtctl %r0,%cr17\n\tmtctl %r0,%cr17\n";
    text += "\tmtctl %r3,%cr18\n\tldo 4(%r3),%r3\n\tmtctl %r3,%cr18\n";
    // W, bit 4 of the 32 of the processor's status word.
    text += "\tldil L%0x08000000,%r4\n\tmtctl %r4,%cr22\n\trfi\n\tnop\n.Lwide:\n";
    let _ = writeln!(text, "\tldil L%{WORDS:#x},%r1\n\tldd 8(%r1),%r3");
    text += "\tcmpib,*=,n 0,%r3,.Lhalt\n\tldo -1(%r3),%r3\n\tstd %r3,8(%r1)\n";
    text += "\tldd 0(%r1),%r31\n\tldd 16(%r1),%r30\n";
    let kept = (3..=18).chain([27]);
    let pattern = |register: u32, into: u32| {
        let high = (register + 1) << 20 | 0x800;
        format!(
            "\tldil L%{high:#x},%r{into}\n\tldo {register}(%r{into}),%r{into}\n\
             \tdepd %r{into},31,32,%r{into}\n"
        )
    };
    for register in kept.clone() {
        text += &pattern(register, register);
    }
    for (n, register) in [26, 25, 24, 23].into_iter().enumerate() {
        let _ = writeln!(text, "\tldd {}(%r31),%r{register}", 8 * (n + 1));
    }
    text += "\tldd 0(%r31),%r1\n\tbve,l (%r1),%r2\n\tnop\n\tldi 0,%r28\n";
    for register in kept {
        text += &pattern(register, 29);
        let _ = writeln!(text, "\tcmpclr,*= %r29,%r{register},%r0\n\tldo 1(%r28),%r28");
    }
    let _ = writeln!(text, "\tldil L%{WORDS:#x},%r1\n\tldd 16(%r1),%r29");
    text += "\tcmpclr,*= %r29,%r30,%r0\n\tldo 1(%r28),%r28\n\tldd 0(%r1),%r31\n";
    let _ =
        writeln!(text, "\tstd %r28,{}(%r31)\n\tldo {}(%r31),%r31", 8 * (RECORD - 1), 8 * RECORD);
    let _ = writeln!(text, "\tb .Lwide\n\tstd %r31,0(%r1)\n.Lhalt:\n\t.word {HALT:#x}");
    text
}

/// Makes calls of kernels whose code is `code`, and compares all memory around with what must be there:
/// says what is wrong.
pub(super) fn call(folder: &Folder, code: &[u8], calls: &[Call]) -> Result<(), String> {
    let (start, _) = assemble(folder, "start", &program(), &[]);
    let mut image = code.to_vec();
    let fill = |image: &mut Vec<u8>| {
        image.resize((image.len() + 128).next_multiple_of(64), FILL);
        image.len()
    };
    let records = fill(&mut image);
    image.resize(records + calls.len() * 8 * RECORD as usize, 0);
    let regions =
        calls.iter().flat_map(|call| &call.arguments).filter_map(|argument| match argument {
            Argument::Word(_) => None,
            Argument::Region(before, after) => Some((before, after)),
        });
    let mut places = Vec::new();
    for (before, after) in regions.clone() {
        // Its end touches what nobody may change, and so does what comes before it.
        places.push(fill(&mut image));
        image.extend(before);
        assert_eq!(before.len(), after.len());
    }
    let stack = fill(&mut image);
    let base = MIDDLE - (stack as u64 / 2).next_multiple_of(4096);
    let mut put = |at: usize, word: u64| image[at..at + 8].copy_from_slice(&word.to_be_bytes());
    let mut next = places.iter();
    for (n, call) in calls.iter().enumerate() {
        let record = records + n * 8 * RECORD as usize;
        put(record, base + call.place);
        for (n, argument) in call.arguments.iter().enumerate() {
            let word = match argument {
                Argument::Word(word) => *word,
                Argument::Region(..) => base + *next.next().expect("a place") as u64,
            };
            put(record + 8 * (n + 1), word);
        }
        put(record + 8 * (RECORD as usize - 1), u64::MAX);
    }
    let path = folder.path().join("memory");
    let memory = std::fs::File::create_new(&path).expect("a file");
    memory.set_len(MEMORY).expect("a sparse file");
    let write = |at: u64, bytes: &[u8]| memory.write_all_at(bytes, at).expect("a file to write");
    // Whatever interrupts it halts it.
    write(0, &HALT.to_be_bytes().repeat(START as usize / 4));
    write(START, &start);
    let words = [base + records as u64, calls.len() as u64, base + stack as u64];
    write(WORDS, &words.map(u64::to_be_bytes).concat());
    write(base, &image);
    halts(&path);
    let mut after = vec![0; image.len()];
    memory.read_exact_at(&mut after, base).expect("a file to read");
    let mut expected = image;
    let mut next = places.iter();
    for (n, call) in calls.iter().enumerate() {
        let changed = records + (n + 1) * 8 * RECORD as usize - 8;
        expected[changed..changed + 8].fill(0);
        if after[changed..changed + 8] != [0; 8] {
            return Err(format!("{}: registers", call.what));
        }
        for argument in &call.arguments {
            let Argument::Region(_, right) = argument else { continue };
            let at = *next.next().expect("a place");
            expected[at..at + right.len()].copy_from_slice(right);
            if after[at..at + right.len()] != right[..] {
                return Err(format!("{}: memory", call.what));
            }
        }
    }
    if after != expected {
        return Err("something beside the regions was changed".to_owned());
    }
    Ok(())
}

/// Runs the machine until it halts.
fn halts(memory: &Path) {
    const LONGEST: Duration = Duration::from_secs(600);
    let megabytes = format!("{}M", MEMORY >> 20);
    let file = format!(
        "memory-backend-file,id=ram,size={megabytes},share=on,mem-path={}",
        memory.display()
    );
    let mut command = Command::new(emulator());
    command.args(["-M", "none,memory-backend=ram", "-cpu", "hppa64", "-m", &megabytes]);
    command.args(["-object", &file, "-device", &format!("loader,addr={START:#x},cpu-num=0")]);
    command.args(["-display", "none", "-serial", "none", "-monitor", "none"]);
    // What it says there of modules for screens is of no use here.
    command.stdin(Stdio::null()).stderr(Stdio::piped());
    let mut machine = command.spawn().unwrap_or_else(|error| {
        panic!("{command:?}: {error}: QEMU 8.2 or later is not here (cargo xtask setup fetches it)")
    });
    let begun = Instant::now();
    loop {
        if let Some(status) = machine.try_wait().expect("its status") {
            let output = machine.wait_with_output().expect("what it said");
            assert!(status.success(), "{status:?}: {}", String::from_utf8_lossy(&output.stderr));
            return;
        }
        if begun.elapsed() > LONGEST {
            machine.kill().expect("it can be ended");
            panic!("the machine did not halt");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
