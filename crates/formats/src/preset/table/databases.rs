//! What databases encrypt themselves.

use crate::derivation::{Digest, Variant};
use crate::encoding::Encoding;
use crate::preset::row::{
    Charset, Ciphers, Container, Evidence, Fill, Inner, IvFrom, KeyFit, KeyFrom, PLAIN, PasswordAs,
    Preset, SecretKind, Text,
};

/// Databases print binary columns in hex.
const COLUMN: Preset =
    Preset { text: Text::As(Encoding::Hex), evidence: Evidence::Checked, ..PLAIN };

const SQLSERVER: Preset = Preset {
    secret: SecretKind::Password(PasswordAs::Utf16Le),
    iv: IvFrom::Container,
    inner: Inner::SqlServer,
    source: "stackoverflow 21684733, techcommunity ba-p/383541",
    ..COLUMN
};

const ORACLE: Preset = Preset {
    written_by: "Oracle's DBMS_OBFUSCATION_TOOLKIT",
    source: "tero.co.uk/des/oracle.php",
    secret: SecretKind::Key(Encoding::Text, KeyFit::Leading),
    fill: Fill::None,
    ..COLUMN
};

/// The default IV of `DES3Encrypt`.
const ORACLE_IV: IvFrom = IvFrom::Constant([0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]);

const PGCRYPTO: Preset = Preset {
    source: "PostgreSQL's contrib/pgcrypto/expected, PostgreSQL 15",
    secret: SecretKind::Key(Encoding::Text, KeyFit::ZeroPadded),
    iv: IvFrom::GivenZeroPadded,
    ..COLUMN
};

/// Card data is filled up with zeros.
const DUKPT: Preset = Preset {
    source: "MagTek's eDynamo manual, page 196; X9.24-1",
    secret: SecretKind::Key(Encoding::Hex, KeyFit::Bytes(16)),
    ciphers: Ciphers::Of(&["des-ede-cbc", "des-ede-ecb"]),
    fill: Fill::Zeros,
    ..COLUMN
};

pub(super) static ROWS: [Preset; 13] = [
    Preset {
        name: "sqlserver",
        written_by: "SQL Server's EncryptByPassPhrase until 2016",
        container: Container::SqlServer(1),
        key: KeyFrom::Hash(Digest::Sha1),
        ciphers: Ciphers::Of(&["des-ede-cbc"]),
        ..SQLSERVER
    },
    Preset {
        name: "sqlserver-2017",
        written_by: "SQL Server's EncryptByPassPhrase since 2017",
        evidence: Evidence::Sources,
        container: Container::SqlServer(2),
        key: KeyFrom::Hash(Digest::Sha256),
        ciphers: Ciphers::Aes256Cbc,
        ..SQLSERVER
    },
    Preset {
        name: "sqlserver-key",
        written_by: "SQL Server's EncryptByKey with TRIPLE_DES_3KEY, TRIPLE_DES or DES, by the key itself",
        source: "techcommunity ba-p/383541",
        evidence: Evidence::Sources,
        container: Container::SqlServerKey,
        secret: SecretKind::Key(Encoding::Hex, KeyFit::Exact),
        ciphers: Ciphers::Of(&["des-ede3-cbc", "des-ede-cbc", "des-cbc"]),
        ..SQLSERVER
    },
    Preset {
        name: "mysql",
        written_by: "MySQL's DES_ENCRYPT until 5.7, MariaDB's until 12",
        source: "MariaDB's item_strfunc.cc, des_key_file.cc, func_encrypt.result",
        container: Container::MySql,
        key: KeyFrom::MySql,
        ciphers: Ciphers::Of(&["des-ede3-cbc"]),
        fill: Fill::Stars,
        ..COLUMN
    },
    Preset { name: "oracle-des", ciphers: Ciphers::Of(&["des-cbc"]), ..ORACLE },
    Preset {
        name: "oracle-des3",
        written_by: "Oracle's DBMS_OBFUSCATION_TOOLKIT, which => 0",
        ciphers: Ciphers::Of(&["des-ede-cbc"]),
        iv: ORACLE_IV,
        ..ORACLE
    },
    Preset {
        name: "oracle-des3-three-keys",
        written_by: "Oracle's DBMS_OBFUSCATION_TOOLKIT, which => 1",
        source: "Oracle9i's reference of packages, DES3Encrypt; tero.co.uk/des/oracle.php",
        evidence: Evidence::Sources,
        ciphers: Ciphers::Of(&["des-ede3-cbc"]),
        iv: ORACLE_IV,
        ..ORACLE
    },
    Preset {
        name: "oracle-dbms-crypto",
        written_by: "Oracle's DBMS_CRYPTO with PAD_PKCS5",
        source: "from memory",
        evidence: Evidence::Sources,
        secret: SecretKind::Key(Encoding::Hex, KeyFit::Exact),
        ciphers: Ciphers::Of(&["des-ede3-cbc", "des-ede-cbc", "des-cbc"]),
        iv: IvFrom::GivenZeroPadded,
        fill: Fill::Pkcs7,
        ..ORACLE
    },
    Preset {
        name: "dukpt",
        written_by: "card readers with DUKPT, by the variant for PINs",
        key: KeyFrom::Dukpt(Variant::Pin),
        ..DUKPT
    },
    Preset {
        name: "dukpt-data",
        written_by: "card readers with DUKPT, by the variant for data",
        source: "X9.24-1, DUKPTCore's tests",
        key: KeyFrom::Dukpt(Variant::Data),
        ..DUKPT
    },
    Preset {
        name: "dukpt-pin",
        written_by: "PIN pads with DUKPT, PIN blocks of format 0 (the IV: 0000 and the 12 digits before the card number's last)",
        source: "ISO 9564-1, X9.24-1, known values on many pages",
        evidence: Evidence::Checked,
        key: KeyFrom::Dukpt(Variant::Pin),
        ciphers: Ciphers::Of(&["des-ede-cbc"]),
        iv: IvFrom::Given,
        fill: Fill::None,
        charset: Charset::Pin,
        ..DUKPT
    },
    Preset {
        name: "pgcrypto",
        written_by: "PostgreSQL's pgcrypto, encrypt() with 3des",
        ciphers: Ciphers::Of(&["des-ede3-cbc", "des-ede3-ecb"]),
        ..PGCRYPTO
    },
    Preset {
        name: "pgcrypto-des",
        written_by: "PostgreSQL's pgcrypto, encrypt() with des",
        ciphers: Ciphers::Of(&["des-cbc", "des-ecb"]),
        ..PGCRYPTO
    },
];
