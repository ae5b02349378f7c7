//! Segments in real mode, as the conventions have them. A segment is a number of 16 bits of which nothing is known:
//! that two of them are one, no kernel may take for granted.

use crate::Result;
use crate::domain::Domain;
use crate::machine::state::State;
use crate::memory::{STACK, TABLES, Value};
use std::rc::Rc;

impl<D: Domain> State<D> {
    /// Lets segment registers be the caller's, and gives each region a segment: the stack that of `ss`, tables that of
    /// `cs`, others that of `ds`; or one of their own, which stands above the offset in a far pointer.
    pub(in crate::machine) fn give_segments(&mut self, domain: &mut D) {
        let convention = self.convention;
        let mut segment = || (0..16 / D::BITS).map(|_| domain.input()).collect::<Rc<[_]>>();
        let own: Vec<_> = convention.segments.clone().map(|_| segment()).collect();
        let [_, cs, ss, ds, ..] = &own[..] else { return };
        let is_far = convention.pointer > convention.offset;
        for (n, region) in self.memory.regions.iter_mut().enumerate() {
            region.segment = match n {
                STACK => ss.clone(),
                TABLES => cs.clone(),
                _ if is_far => segment(),
                _ => ds.clone(),
            };
        }
        if is_far {
            let regions = &self.memory.regions;
            let (mut cells, byte) = (regions[STACK].cells.to_vec(), 8 / D::BITS);
            for (&at, value) in &regions[STACK].values {
                if let Value::Pointer(region, _) = value {
                    let above = (at as usize + convention.offset) * byte;
                    cells[above..][..2 * byte].copy_from_slice(&regions[*region].segment);
                }
            }
            self.memory.regions[STACK].cells = Rc::new(cells);
        }
        for (n, own) in convention.segments.clone().zip(own) {
            Rc::make_mut(&mut self.callers).push(own.to_vec());
            self.registers[n] = Value::Cells(own);
        }
    }

    /// Whether segment registers are the caller's.
    ///
    /// # Errors
    /// If one is not.
    pub(in crate::machine) fn check_segments(&self) -> Result<()> {
        for (n, own) in self.convention.segments.clone().zip(self.callers.iter()) {
            if self.registers[n] != Value::Cells(own[..].into()) {
                return Err(format!("register {n}, a segment, is not the caller's"));
            }
        }
        Ok(())
    }
}
