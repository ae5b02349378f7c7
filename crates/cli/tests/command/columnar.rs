//! `records` on Arrow's files and streams, and on Parquet.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, BinaryArray, Int64Array, RecordBatch, StringArray};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use cipherloom::{Algorithm, BlockKey, Mode, Padding};
use cipherloom_formats::preset::{Given, Preset};
use cipherloom_testkit::rng::Rng;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::common::{Folder, ok, says};

const FORMS: [&str; 3] = ["file", "stream", "parquet"];

fn write(form: &str, batches: &[RecordBatch]) -> Vec<u8> {
    let (mut out, schema) = (Vec::new(), batches[0].schema());
    match form {
        "file" => {
            let mut writer = FileWriter::try_new(&mut out, &schema).unwrap();
            batches.iter().for_each(|batch| writer.write(batch).unwrap());
            writer.finish().unwrap();
        }
        "stream" => {
            let mut writer = StreamWriter::try_new(&mut out, &schema).unwrap();
            batches.iter().for_each(|batch| writer.write(batch).unwrap());
            writer.finish().unwrap();
        }
        _ => {
            let mut writer = ArrowWriter::try_new(&mut out, schema, None).unwrap();
            batches.iter().for_each(|batch| writer.write(batch).unwrap());
            writer.close().unwrap();
        }
    }
    out
}

/// All batches of a table, one behind the other.
fn read(form: &str, folder: &Folder, name: &str) -> Vec<RecordBatch> {
    let file = std::fs::File::open(folder.path().join(name)).unwrap();
    match form {
        "file" => FileReader::try_new(file, None).unwrap().map(Result::unwrap).collect(),
        "stream" => StreamReader::try_new(file, None).unwrap().map(Result::unwrap).collect(),
        _ => ParquetRecordBatchReaderBuilder::try_new(file)
            .unwrap()
            .build()
            .unwrap()
            .map(Result::unwrap)
            .collect(),
    }
}

/// Records under keys and IVs of their own, as bytes; every seventh has no data.
fn sealed(rows: usize) -> (RecordBatch, Vec<Option<Vec<u8>>>) {
    let mut rng = Rng::new(7);
    let (mut keys, mut ivs, mut data, mut plain) = (vec![], vec![], vec![], vec![]);
    for n in 0..rows {
        let (key, iv) = (rng.bytes(24), rng.bytes(8));
        let text = rng.bytes(n % 50);
        let mut out = vec![0; text.len() + 8];
        let block_key = BlockKey::new(Algorithm::TdesEde3, &key).unwrap();
        let mode = Mode::cbc(iv.clone().try_into().unwrap(), Padding::Pkcs7);
        let sealed = mode.encrypt(&block_key, &text, &mut out).unwrap().to_vec();
        let is_there = n % 7 != 3;
        data.push(is_there.then_some(sealed));
        plain.push(is_there.then_some(text));
        keys.push(key);
        ivs.push(iv);
    }
    let columns: [(&str, ArrayRef); 4] = [
        ("id", Arc::new(Int64Array::from_iter_values(0..rows as i64))),
        ("k", Arc::new(BinaryArray::from_iter_values(keys))),
        ("iv", Arc::new(BinaryArray::from_iter_values(ivs))),
        ("secret", Arc::new(BinaryArray::from_iter(data))),
    ];
    (RecordBatch::try_from_iter(columns).unwrap(), plain)
}

#[test]
fn columns_of_bytes_are_decrypted_in_every_form() {
    let (batch, plain) = sealed(40_000);
    let nulls = plain.iter().filter(|plain| plain.is_none()).count();
    for form in FORMS {
        let folder = Folder::new();
        folder.file("in", write(form, &[batch.slice(0, 10), batch.slice(10, 39_990)]));
        let line = "records -d -des-ede3-cbc --key-column k --iv-column iv --data-column secret -T 2 \
                    -in in -out out";
        let output = folder.run(line);
        assert!(
            says(&output).contains(&format!(
                "40000 records: {} decrypted, {nulls} null, 0 with an error",
                40_000 - nulls
            )),
            "{form}: {}",
            says(&output)
        );
        let batches = read(form, &folder, "out");
        let mut row = 0;
        for batch in &batches {
            assert_eq!(batch.schema().fields().len(), 6, "{form}");
            let (ids, results) = (batch.column(0), batch.column(4).as_binary::<i32>());
            let ids = ids.as_primitive::<arrow_array::types::Int64Type>();
            for (n, result) in results.iter().enumerate() {
                assert_eq!(ids.value(n), row as i64, "{form}");
                assert_eq!(result, plain[row].as_deref(), "{form} row {row}");
                row += 1;
            }
            assert_eq!(batch.column(5).null_count(), batch.num_rows(), "{form}");
        }
        assert_eq!(row, plain.len(), "{form}");
    }
}

/// Text as in CSV: hex, a status, an error; and what is encrypted comes back.
#[test]
fn columns_of_text_are_read_as_in_csv() {
    let mysql = Preset::find("mysql").unwrap();
    let seal = |text: &str| {
        String::from_utf8(mysql.seal(&Given::secret(b"sabakala"), text.as_bytes()).unwrap())
            .unwrap()
    };
    let values = [Some(seal("dog")), None, Some("zz".to_owned()), Some("64".to_owned())];
    let columns: [(&str, ArrayRef); 1] = [("v", Arc::new(StringArray::from_iter(values)))];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    for form in FORMS {
        let folder = Folder::new();
        folder.file("in", write(form, std::slice::from_ref(&batch)));
        let line = "records -d --preset mysql -k sabakala --data-column v -in in -out out";
        let output = folder.run(line);
        assert_eq!(output.status.code(), Some(1), "{form}");
        assert!(
            says(&output).contains("1 decrypted, 2 passed through, 1 damaged"),
            "{}",
            says(&output)
        );
        let batch = read(form, &folder, "out").remove(0);
        let column = |n: usize| -> Vec<_> { batch.column(n).as_string::<i32>().iter().collect() };
        assert_eq!(column(1), [Some("dog"), None, None, Some("d")], "{form}");
        let statuses = ["decrypted", "passed through", "damaged", "passed through"];
        assert_eq!(column(2), statuses.map(Some), "{form}");
        assert!(column(3)[2].unwrap().contains("hex digit"), "{form}");

        let key = "-K 0123456789abcdeffedcba98765432100011223344556677";
        let line = format!(
            "records -e -des-ede3-cfb8 {key} --iv-prefix --data-column v --quiet -in in -out sealed"
        );
        ok(folder.run(&line));
        let line = format!(
            "records -d -des-ede3-cfb8 {key} --iv-prefix --data-column result --result-column again \
             --error-column e -in sealed -out opened"
        );
        ok(folder.run(&line));
        let opened = read(form, &folder, "opened").remove(0);
        let again = opened.column_by_name("again").unwrap().as_string::<i32>();
        assert_eq!(
            again.iter().collect::<Vec<_>>(),
            batch.column(0).as_string::<i32>().iter().collect::<Vec<_>>()
        );
    }
}

#[test]
fn streams_come_and_go_through_pipes() {
    let (batch, plain) = sealed(100);
    let line = "records -d -des-ede3-cbc --key-column k --iv-column iv --data-column secret";
    let folder = Folder::new();
    let out = ok(folder.run_with(line, &write("stream", std::slice::from_ref(&batch))));
    folder.file("out", out);
    let rows: usize = read("stream", &folder, "out").iter().map(RecordBatch::num_rows).sum();
    assert_eq!(rows, plain.len());
    for form in ["file", "parquet"] {
        let output = folder.run_with(line, &write(form, std::slice::from_ref(&batch)));
        assert!(says(&output).contains("give it by -in"), "{form}: {}", says(&output));
    }
}

#[test]
fn what_a_table_does_not_have_is_said() {
    let (batch, _) = sealed(3);
    let folder = Folder::new();
    folder.file("in", write("parquet", &[batch]));
    let common = "records -d -des-ede3-ecb -K 0123456789abcdeffedcba98765432100011223344556677 -in in -out out";
    for (options, part) in [
        ("--data-column nothing", "its columns are id, k, iv, secret"),
        ("--data-column id", "holds neither text nor bytes, but Int64"),
        ("--data-column secret --result-column k", "has a column k already"),
        ("--data-column secret --no-header", "--no-header is for CSV, and the input is Parquet"),
        ("--data-column secret --format arrow", "is Parquet, and not Arrow's"),
    ] {
        let output = folder.run(&format!("{common} {options}"));
        assert!(says(&output).contains(part), "{options}: {}", says(&output));
        assert_ne!(output.status.code(), Some(0), "{options}");
        assert_eq!(folder.names(), ["in"], "{options}");
    }
}

/// A table that is cut or changed ends in an error or in a table, and never in a panic or half a file.
#[test]
fn damaged_tables_are_errors() {
    let (batch, _) = sealed(50);
    let mut rng = Rng::new(9);
    for form in FORMS {
        let whole = write(form, std::slice::from_ref(&batch));
        let folder = Folder::new();
        for n in 0..40 {
            let mut bytes = whole.clone();
            if n % 4 == 0 {
                bytes.truncate(1 + rng.number(0..=whole.len() - 2));
            } else {
                for _ in 0..1 + n % 3 {
                    let place = rng.number(0..=bytes.len() - 1);
                    bytes[place] ^= 1 << rng.number(0..=7);
                }
            }
            folder.file("in", bytes);
            let line = "records -d -des-ede3-cbc --key-column k --iv-column iv --data-column secret \
                        -in in -out out --force --quiet";
            let output = folder.run(line);
            let code = output.status.code();
            assert!(matches!(code, Some(0..=2)), "{form} {n}: {code:?} {}", says(&output));
            assert!(!says(&output).contains("panicked"), "{form} {n}: {}", says(&output));
        }
    }
}
