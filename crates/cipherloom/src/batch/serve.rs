//! All records of a batch: in lanes, or one by one.

use super::groups;
use super::pieces::PieceScheduler;
use super::planner::LanePlanner;
use super::queue::{KEY_FRAMES, Queue, Transform, Work};
use super::scheduler::LaneScheduler;
use crate::dispatch::{Kernels, LONGEST_PIECE, Load};
use crate::kernels::bitslice::{Keys, Lanes, MOST_LANES, Width};
use crate::kernels::{Direction, scrubbed};

/// Serves all records; nothing waits for the longest one.
pub(super) fn run(transform: Transform, kernels: Kernels, queue: &mut Queue<'_, '_, '_>) {
    // What it leaves must be gone before frames as deep are begun: a copy of an array takes what is in its gaps along.
    let make = |key| scrubbed(KEY_FRAMES, || transform.key(key));
    let one_key = queue.one_key().and_then(|key| make(key).ok());
    let planner = LanePlanner::new(transform, kernels, one_key.as_ref());
    while queue.count() > 0 {
        let group = queue.even(queue.count().min(MOST_LANES));
        let group = group.map(|(even, need)| planner.parts(even, need));
        let load = Load { group, ..Load::default() };
        let load = planner.load(queue.blocks().take(MOST_LANES), load);
        match planner.lanes(&load) {
            Some(width) => in_lanes(&planner, queue, width, &load),
            None => {
                let mut left = MOST_LANES;
                while left > 0
                    && let Some(ready) = queue.next()
                {
                    planner.ready_alone(queue, ready);
                    left -= 1;
                }
            }
        }
    }
}

fn in_lanes<'a>(
    planner: &LanePlanner<'_>,
    queue: &mut Queue<'a, '_, '_>,
    width: Width,
    load: &Load,
) {
    let Some(sliced) = planner.sliced else { return };
    let direction = match planner.transform.work {
        Work::EcbDecrypt | Work::CbcDecrypt => Direction::Decrypt,
        Work::EcbEncrypt | Work::CbcEncrypt | Work::Ctr => Direction::Encrypt,
    };
    let keys = match planner.one_key {
        Some(key) => Keys::One(key.for_kernels()),
        None => Keys::Each(planner.transform.algorithm.shape()),
    };
    let with_lanes = |width, work: &mut dyn FnMut(&mut dyn Lanes)| {
        sliced.with_lanes(width, keys, direction, work);
    };
    match groups::next(planner, queue, sliced.lanes(width)) {
        Some(group) => {
            let mut group = Some(group);
            with_lanes(width, &mut |lanes| {
                if let Some(group) = group.take() {
                    groups::serve(planner, queue, lanes, group);
                }
            });
        }
        None if planner.transform.work == Work::CbcEncrypt => {
            lane_by_lane(planner, queue, width, with_lanes);
        }
        None => {
            let plan = (width, planner.piece(width, load));
            match plan.1 {
                1 => in_pieces::<2>(planner, queue, plan, with_lanes),
                2..=4 => in_pieces::<5>(planner, queue, plan, with_lanes),
                _ => in_pieces::<{ LONGEST_PIECE + 1 }>(planner, queue, plan, with_lanes),
            }
        }
    }
}

/// Not inlined: who has few blocks need not pay for the stack of many.
#[inline(never)]
fn in_pieces<'a, const ROWS: usize>(
    planner: &LanePlanner<'_>,
    queue: &mut Queue<'a, '_, '_>,
    plan: (Width, usize),
    with_lanes: impl Fn(Width, &mut dyn FnMut(&mut dyn Lanes)),
) {
    let mut places = [const { None }; MOST_LANES];
    let mut pieces = PieceScheduler::<ROWS>::new(&mut places);
    let mut plan = Some(plan);
    while let Some((width, most)) = plan {
        with_lanes(width, &mut |lanes| pieces.work(planner, lanes, queue, most));
        plan = pieces.plan(planner, queue);
    }
    pieces.alone(planner, queue);
}

/// Not inlined: a few records need not pay for the stack of many.
#[inline(never)]
fn lane_by_lane<'a>(
    planner: &LanePlanner<'_>,
    queue: &mut Queue<'a, '_, '_>,
    width: Width,
    with_lanes: impl Fn(Width, &mut dyn FnMut(&mut dyn Lanes)),
) {
    let mut rests = [const { None }; MOST_LANES];
    let mut keys = [None; MOST_LANES];
    let mut scheduler = LaneScheduler::new(&mut rests, &mut keys);
    let mut width = Some(width);
    loop {
        match width {
            Some(width) => {
                with_lanes(width, &mut |lanes| scheduler.work(planner, (width, lanes), queue));
            }
            None => scheduler.alone(planner, queue),
        }
        width = scheduler.plan(planner, queue, None);
        if width.is_none() && scheduler.blocks().next().is_none() {
            return;
        }
    }
}
