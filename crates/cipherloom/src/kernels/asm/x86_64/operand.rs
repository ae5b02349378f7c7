//! What goes into a register of a call.

/// A parameter of a kernel, as the register has it that it is handed on in.
pub(super) trait Operand {
    type Register;

    fn register(self) -> Self::Register;
}

impl<T> Operand for &T {
    type Register = *const T;

    #[inline(always)]
    fn register(self) -> *const T {
        self
    }
}

impl<T> Operand for &mut T {
    type Register = *mut T;

    #[inline(always)]
    fn register(self) -> *mut T {
        self
    }
}

impl<T> Operand for *mut T {
    type Register = Self;

    #[inline(always)]
    fn register(self) -> Self {
        self
    }
}

impl Operand for usize {
    type Register = Self;

    #[inline(always)]
    fn register(self) -> Self {
        self
    }
}
