//! What counts as code and constants in each container.

use super::is_code;
use object::write::{Object as New, StandardSection};
use object::{Architecture, BinaryFormat, Endianness, Object};

#[test]
fn what_a_program_can_write_to_is_neither_code_nor_a_constant() {
    let sections = [
        (StandardSection::Text, Some(true)),
        (StandardSection::ReadOnlyData, Some(false)),
        (StandardSection::Data, None),
    ];
    for format in [BinaryFormat::Elf, BinaryFormat::Coff, BinaryFormat::MachO] {
        for architecture in [Architecture::X86_64, Architecture::Aarch64] {
            for (section, expected) in sections {
                let mut new = New::new(format, architecture, Endianness::Little);
                let id = new.section_id(section);
                new.append_section_data(id, b"kernel", 8);
                let bytes = new.write().unwrap();
                let file = object::File::parse(&*bytes).unwrap();
                let with_data = |data: &[u8]| data == b"kernel";
                let sections = file.sections();
                let mut found =
                    sections.filter(|one| object::ObjectSection::data(one).is_ok_and(with_data));
                let found = found.next().map(|section| is_code(&section));
                assert_eq!(found, Some(expected), "{format:?}, {architecture:?}, {section:?}");
            }
        }
    }
}
