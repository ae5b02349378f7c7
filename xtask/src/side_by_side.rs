//! Work on several things at a time.

use std::sync::atomic::{AtomicUsize, Ordering};

/// What `work` makes of each item, in the items' order; as many at a time as there are processors.
pub(crate) fn side_by_side<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let each = std::iter::from_fn(|| {
            let n = next.fetch_add(1, Ordering::Relaxed);
            items.get(n).map(|item| (n, work(item)))
        });
        each.collect::<Vec<_>>()
    };
    let mut all: Vec<(usize, R)> = std::thread::scope(|scope| {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(worker)).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, Vec<_>>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect()
    });
    all.sort_by_key(|(n, _)| *n);
    all.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_items_order() {
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(
            side_by_side(&items, |n| n * n),
            items.iter().map(|n| n * n).collect::<Vec<_>>()
        );
    }
}
