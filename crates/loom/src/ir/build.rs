//! Writing a kernel down: a method per operation.

use super::{
    Access, Address, Bytes, Carried, Endian, Extent, Kernel, Op, Param, Repeat, Statement, Table,
    TableId, Type, Value,
};

/// A kernel under construction.
///
/// Operations append to the innermost open loop. Types follow from operands; a method panics
/// where its operands cannot go together, which is an error in a strategy and never in data.
#[derive(Debug)]
pub struct Builder {
    kernel: Kernel,
    types: Vec<Type>,
    /// The bodies of the open loops, outermost first.
    open: Vec<Vec<Statement>>,
}

impl Builder {
    /// An empty kernel.
    #[must_use]
    pub fn new(name: impl Into<String>, doc: impl Into<String>) -> Self {
        let kernel = Kernel {
            name: name.into(),
            doc: doc.into(),
            params: Vec::new(),
            tables: Vec::new(),
            table_set: String::new(),
            body: Vec::new(),
        };
        Self { kernel, types: Vec::new(), open: vec![Vec::new()] }
    }

    /// The finished kernel.
    ///
    /// # Panics
    /// If a loop is still open, or tables have no name together.
    #[must_use]
    pub fn finish(mut self) -> Kernel {
        assert_eq!(self.open.len(), 1, "a loop is open");
        let named = !self.kernel.table_set.is_empty();
        assert_eq!(named, !self.kernel.tables.is_empty(), "tables and their name belong together");
        self.kernel.body = self.open.remove(0);
        self.kernel
    }

    fn fresh(&mut self, ty: Type) -> Value {
        self.types.push(ty);
        Value(self.types.len() as u32 - 1)
    }

    fn statement(&mut self, statement: Statement) {
        self.open.last_mut().expect("a body is open").push(statement);
    }

    /// The type of a value.
    #[must_use]
    pub fn ty(&self, value: Value) -> Type {
        self.types[value.0 as usize]
    }

    /// The next parameter: a pointer.
    pub fn pointer(&mut self, name: &str, access: Access, extent: Extent, doc: &str) -> Value {
        self.param(name, Type::Pointer, Some((access, extent)), doc)
    }

    /// The next parameter: a word.
    pub fn word(&mut self, name: &str, ty: Type, doc: &str) -> Value {
        self.param(name, ty, None, doc)
    }

    fn param(
        &mut self,
        name: &str,
        ty: Type,
        memory: Option<(Access, Extent)>,
        doc: &str,
    ) -> Value {
        let value = self.fresh(ty);
        let (name, doc) = (name.to_owned(), doc.to_owned());
        let (mask, align, public) = (u64::MAX, 1, false);
        self.kernel.params.push(Param { name, ty, doc, memory, mask, align, public, value });
        value
    }

    /// Only the bits of `mask` are set in each 8 bytes that a parameter points to.
    ///
    /// # Panics
    /// If `pointer` is no parameter.
    pub fn masked(&mut self, pointer: Value, mask: u64) {
        let mut params = self.kernel.params.iter_mut();
        params.find(|param| param.value == pointer).expect("a parameter").mask = mask;
    }

    /// A parameter points to a multiple of so many bytes.
    ///
    /// # Panics
    /// If `pointer` is no parameter.
    pub fn aligned(&mut self, pointer: Value, bytes: u16) {
        let mut params = self.kernel.params.iter_mut();
        params.find(|param| param.value == pointer).expect("a parameter").align = bytes;
    }

    /// What a parameter points to is no secret: addresses and counts may depend on it.
    ///
    /// # Panics
    /// If `pointer` is no parameter, or one through which the kernel writes.
    pub fn public(&mut self, pointer: Value) {
        let mut params = self.kernel.params.iter_mut();
        let param = params.find(|param| param.value == pointer).expect("a parameter");
        let reads = matches!(param.memory, Some((Access::Read, _)));
        assert!(reads, "only what is read alone stays public");
        param.public = true;
    }

    /// Adds a constant table.
    pub fn table(&mut self, table: Table) -> TableId {
        self.kernel.tables.push(table);
        TableId(self.kernel.tables.len() - 1)
    }

    /// Names all tables together.
    pub fn table_set(&mut self, name: impl Into<String>) {
        self.kernel.table_set = name.into();
    }

    /// Adds any operation.
    pub fn op(&mut self, ty: Type, op: Op) -> Value {
        let value = self.fresh(ty);
        self.statement(Statement::Define(value, ty, op));
        value
    }

    /// A comment for people.
    pub fn comment(&mut self, text: impl Into<String>) {
        self.statement(Statement::Comment(text.into()));
    }

    fn pair(&mut self, a: Value, b: Value, op: Op) -> Value {
        self.alike([a, b], op)
    }

    fn alike<const N: usize>(&mut self, operands: [Value; N], op: Op) -> Value {
        let ty = self.ty(operands[0]);
        assert!(
            operands.iter().all(|&value| self.ty(value) == ty),
            "operands of two types in {op:?}"
        );
        self.op(ty, op)
    }

    /// A constant.
    pub fn constant(&mut self, ty: Type, value: u64) -> Value {
        self.op(ty, Op::Const(value))
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Value, b: Value) -> Value {
        self.pair(a, b, Op::Xor(a, b))
    }

    /// Exclusive or of many, as a balanced tree; lowering may make a chain of it.
    ///
    /// # Panics
    /// If there are none.
    pub fn xor_all(&mut self, values: &[Value]) -> Value {
        match values {
            [] => panic!("an exclusive or of nothing"),
            [value] => *value,
            _ => {
                let (a, b) = values.split_at(values.len() / 2);
                let (a, b) = (self.xor_all(a), self.xor_all(b));
                self.xor(a, b)
            }
        }
    }

    /// Bitwise and.
    pub fn and(&mut self, a: Value, b: Value) -> Value {
        self.pair(a, b, Op::And(a, b))
    }

    /// Bitwise and with a constant.
    pub fn mask(&mut self, a: Value, mask: u64) -> Value {
        let mask = self.constant(self.ty(a), mask);
        self.and(a, mask)
    }

    /// Bitwise or.
    pub fn or(&mut self, a: Value, b: Value) -> Value {
        self.pair(a, b, Op::Or(a, b))
    }

    /// The first and not the second.
    pub fn and_not(&mut self, a: Value, b: Value) -> Value {
        self.pair(a, b, Op::AndNot(a, b))
    }

    /// Bitwise complement.
    pub fn not(&mut self, a: Value) -> Value {
        self.op(self.ty(a), Op::Not(a))
    }

    /// Bit `4 a + 2 b + c` of a table, for each bit of three inputs a, b, c.
    pub fn ternary(&mut self, table: u8, inputs: [Value; 3]) -> Value {
        self.alike(inputs, Op::Ternary(table, inputs))
    }

    /// Sum.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        self.pair(a, b, Op::Add(a, b))
    }

    /// Shift towards high bits.
    pub fn shl(&mut self, a: Value, by: u8) -> Value {
        self.op(self.ty(a), Op::Shl(a, by))
    }

    /// Shift towards low bits.
    pub fn shr(&mut self, a: Value, by: u8) -> Value {
        self.op(self.ty(a), Op::Shr(a, by))
    }

    /// Rotation towards high bits.
    pub fn rotl(&mut self, a: Value, by: u8) -> Value {
        self.op(self.ty(a), Op::Rotl(a, by))
    }

    /// The bits of `a` that `mask` selects, together at the low end.
    pub fn compress(&mut self, a: Value, mask: Value) -> Value {
        self.pair(a, mask, Op::Compress(a, mask))
    }

    /// The low bits of `a`, apart at the places that `mask` selects.
    pub fn expand(&mut self, a: Value, mask: Value) -> Value {
        self.pair(a, mask, Op::Expand(a, mask))
    }

    /// `bits` bits from bit `shift` on.
    pub fn field(&mut self, of: Value, shift: u8, bits: u8) -> Value {
        self.op(self.ty(of), Op::Field { of, shift, bits })
    }

    /// The bytes in reverse order.
    pub fn swap_bytes(&mut self, a: Value) -> Value {
        self.op(self.ty(a), Op::SwapBytes(a))
    }

    /// Another width; to a vector, the lowest bits of it, or from one.
    pub fn resize(&mut self, a: Value, ty: Type) -> Value {
        if self.ty(a) == ty { a } else { self.op(ty, Op::Resize(a)) }
    }

    /// A table's entry, as a word of type `ty`.
    pub fn lookup(&mut self, table: TableId, index: Value, ty: Type) -> Value {
        self.op(ty, Op::Lookup(table, index))
    }

    /// A vector of a table's entries, from number `first` on.
    pub fn constants(&mut self, table: TableId, first: u64, ty: Type) -> Value {
        let index = self.constant(Type::W64, first);
        self.lookup(table, index, ty)
    }

    /// What an operation on bytes makes of two vectors.
    pub fn bytes(&mut self, op: Bytes, a: Value, b: Value) -> Value {
        self.pair(a, b, Op::Bytes(op, [a, b]))
    }

    /// The bytes of `then` where those of `a` and `b` are equal, else those of `otherwise`.
    pub fn select_bytes(&mut self, [a, b]: [Value; 2], then: Value, otherwise: Value) -> Value {
        let op = Op::SelectEq { a, b, then, otherwise, rare: false };
        self.alike([a, b, then, otherwise], op)
    }

    /// Bytes of `low` and `high` together, by the numbers in `index`.
    pub fn pick_two(&mut self, index: Value, [low, high]: [Value; 2]) -> Value {
        self.alike([index, low, high], Op::PickTwo([index, low, high]))
    }

    /// Bytes of up to four vectors together, by the numbers in `index`; 0 where there is no such byte.
    ///
    /// # Panics
    /// If they are of several types.
    pub fn pick_from(&mut self, index: Value, tables: &[Value]) -> Value {
        let ty = self.ty(index);
        assert!(tables.iter().all(|&table| self.ty(table) == ty), "operands of two types");
        self.op(ty, Op::PickFrom([&[index], tables].concat()))
    }

    /// A word from `base + offset`, in the given order of bytes.
    pub fn load(&mut self, base: Value, offset: i32, ty: Type, endian: Endian) -> Value {
        let address = Address { base, offset, index: None };
        let bytes = bytes_of(ty);
        self.op(ty, Op::Load { address, bytes, endian, ordered: false })
    }

    /// The `bytes` (4 or 8) bytes at `base + offset`, the lowest of a vector; zeros above.
    pub fn load_low(&mut self, base: Value, offset: i32, bytes: u8, ty: Type) -> Value {
        let address = Address { base, offset, index: None };
        let endian = Endian::Native;
        self.op(ty, Op::Load { address, bytes, endian, ordered: false })
    }

    /// A word to `base + offset`, in the given order of bytes.
    pub fn store(&mut self, value: Value, base: Value, offset: i32, endian: Endian) {
        let address = Address { base, offset, index: None };
        let ty = self.ty(value);
        let bytes = bytes_of(ty);
        self.op(ty, Op::Store { value, address, bytes, endian, ordered: false });
    }

    /// The lowest 8 bytes of a vector to `base + offset`.
    pub fn store_low(&mut self, value: Value, base: Value, offset: i32) {
        let address = Address { base, offset, index: None };
        let (ty, endian) = (self.ty(value), Endian::Native);
        self.op(ty, Op::Store { value, address, bytes: 8, endian, ordered: false });
    }

    /// A word from a place, in the processor's order of bytes.
    pub fn load_at(&mut self, address: Address, ty: Type) -> Value {
        let (bytes, endian) = (bytes_of(ty), Endian::Native);
        self.op(ty, Op::Load { address, bytes, endian, ordered: false })
    }

    /// A word from memory that is written, too: it keeps its place among such accesses.
    pub fn load_ordered(&mut self, base: Value, offset: i32, ty: Type) -> Value {
        let address = Address { base, offset, index: None };
        let (bytes, endian) = (bytes_of(ty), Endian::Native);
        self.op(ty, Op::Load { address, bytes, endian, ordered: true })
    }

    /// A word to memory that is read, too: it keeps its place among such accesses.
    pub fn store_ordered(&mut self, value: Value, base: Value, offset: i32) {
        let address = Address { base, offset, index: None };
        let ty = self.ty(value);
        let (bytes, endian) = (bytes_of(ty), Endian::Native);
        self.op(ty, Op::Store { value, address, bytes, endian, ordered: true });
    }

    /// A word of `bytes` (4 or 8) bytes from `base + offset`, over and over in a vector.
    pub fn broadcast(&mut self, base: Value, offset: i32, bytes: u8, ty: Type) -> Value {
        let address = Address { base, offset, index: None };
        self.op(ty, Op::Broadcast { address, bytes })
    }

    /// A pointer moved by a constant.
    pub fn advance(&mut self, pointer: Value, bytes: i32) -> Value {
        self.op(Type::Pointer, Op::Advance(pointer, bytes))
    }

    /// A loop: `body` gets the loop-carried values as they are at its start, and returns them as
    /// they are at its end. Returns them as they are after the last time.
    ///
    /// # Panics
    /// If `body` returns another number of values, or values of other types.
    pub fn repeat(
        &mut self,
        count: Value,
        first: &[Value],
        body: impl FnOnce(&mut Self, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let inside: Vec<_> = first.iter().map(|&value| self.fresh(self.ty(value))).collect();
        self.open.push(Vec::new());
        let next = body(self, &inside);
        let statements = self.open.pop().expect("the loop is open");
        assert_eq!(next.len(), first.len(), "a loop returns what it carries");
        let mut carried = Vec::new();
        for ((&first, &inside), &next) in first.iter().zip(&inside).zip(&next) {
            let ty = self.ty(first);
            assert_eq!(ty, self.ty(next), "a loop-carried value keeps its type");
            carried.push(Carried { first, inside, next, after: self.fresh(ty), ty });
        }
        let after = carried.iter().map(|carried| carried.after).collect();
        self.statement(Statement::Repeat(Repeat { count, carried, body: statements }));
        after
    }
}

fn bytes_of(ty: Type) -> u8 {
    let bits = ty.bits().expect("pointers are not kept in memory");
    u8::try_from(bits / 8).expect("a vector has at most 512 bits")
}
