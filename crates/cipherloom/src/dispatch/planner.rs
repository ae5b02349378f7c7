//! From costs to decisions: which kernel does how much of the work.

use super::available::{Available, column};
use super::few::Few;
use super::load::Load;
use super::sliced::Sliced;
use crate::backend::Backend;
use crate::backend::costs::{Slices, Tables, Width as Costs};
use crate::kernels::Shape;
use crate::kernels::bitslice::Width;

/// Weighs the kernels that a piece of work may use.
#[derive(Clone, Copy)]
pub(crate) struct Planner {
    tables: Option<&'static Tables>,
    /// Those for so many independent blocks and more.
    interleaved: Option<&'static Tables>,
    /// How many of these they do at a time.
    together: usize,
    /// What one block fewer costs.
    fewer: usize,
    from: usize,
    slices: Option<(Sliced, &'static Slices)>,
    /// What a key object costs.
    schedule: usize,
}

/// How many of some independent blocks go through which lanes; the rest goes to tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) wide: usize,
    pub(crate) narrow: usize,
}

impl Plan {
    /// Whether lanes have a part in it.
    pub(crate) fn is_sliced(self) -> bool {
        self.wide + self.narrow > 0
    }
}

impl Planner {
    /// Of the kernels of a few backends, by what they cost there.
    #[inline]
    pub(super) fn new(available: &Available, few: Few, many: Backend, shape: Shape) -> Self {
        let sliced = |backend| Sliced::of(backend).zip(available.slices(backend, shape));
        let tables = |backend| available.tables(backend, shape);
        Self {
            tables: tables(few.single).or_else(|| tables(many)),
            interleaved: tables(few.interleaved).or_else(|| tables(many)),
            together: few.interleaved.together(),
            fewer: tables(few.single).map_or(0, |single| single.blocks(few.from - 1, 1)),
            from: few.from,
            slices: sliced(many).or_else(|| sliced(few.single)),
            schedule: schedule(shape),
        }
    }

    /// The cheapest plan for so many blocks under one key.
    ///
    /// More blocks never cost less: what serves them serves fewer too, with some lanes idle.
    #[inline]
    pub(crate) fn plan(self, blocks: usize) -> Plan {
        match self.slices {
            Some((sliced, slices)) if !self.is_little(blocks) => {
                self.sliced(sliced, slices, blocks).0
            }
            _ => Plan::default(),
        }
    }

    /// Whether so many blocks are not worth a call of any slices: sooner said than their plan.
    #[inline]
    fn is_little(self, blocks: usize) -> bool {
        self.slices.is_none_or(|(_, slices)| self.by_look_ups(blocks) <= slices.least_call())
    }

    /// The cheapest plan with lanes, and what it costs.
    #[inline]
    fn sliced(self, sliced: Sliced, slices: &Slices, blocks: usize) -> (Plan, usize) {
        let wide = self.in_groups(sliced, slices, blocks, Width::Wide);
        let [many, few] = [Width::Wide, Width::Narrow].map(|width| sliced.lanes(width));
        // Where both have as many lanes, one may have the cheaper groups and the other the cheaper key.
        if many != few || slices.narrow.key == slices.wide.key {
            return wide;
        }
        let narrow = self.in_groups(sliced, slices, blocks, Width::Narrow);
        if narrow.1 < wide.1 { narrow } else { wide }
    }

    /// Whole groups by a width, as many blocks as the widest has, and what is cheapest for the rest; and what all of
    /// that costs.
    #[inline(never)]
    fn in_groups(self, sliced: Sliced, slices: &Slices, blocks: usize, by: Width) -> (Plan, usize) {
        let Slices { wide, narrow, .. } = slices;
        let [many, few] = [Width::Wide, Width::Narrow].map(|width| sliced.lanes(width));
        let rest = blocks % many;
        let whole = blocks - rest;
        let (mut wide_key, mut narrow_key) = (wide.key, narrow.key);
        let (key, groups) = match by {
            Width::Wide => (&mut wide_key, wide.group.saturating_mul(whole / many)),
            Width::Narrow => (&mut narrow_key, narrow.group.saturating_mul(whole / few)),
        };
        // A key that is set up already costs nothing more.
        let begun = if whole == 0 { 0 } else { groups.saturating_add(core::mem::take(key)) };
        let some = |groups: usize| {
            let cost = narrow_key + narrow.group * groups;
            (
                0,
                groups * few,
                cost.saturating_add(self.by_look_ups(rest.saturating_sub(groups * few))),
            )
        };
        let best = [
            (rest, 0, if rest == 0 { 0 } else { wide_key + wide.group }),
            (0, 0, self.by_look_ups(rest)),
            some(rest / few),
            some(rest.div_ceil(few)),
        ]
        .into_iter()
        .min_by_key(|(_, _, cost)| *cost);
        let (wide, narrow, cost) = best.unwrap_or_default();
        let mut plan = Plan { wide, narrow: rest.min(narrow) };
        match by {
            Width::Wide => plan.wide += whole,
            Width::Narrow => plan.narrow += whole,
        }
        (plan, begun.saturating_add(cost))
    }

    /// So many blocks by look-ups, in tables or in registers.
    #[inline]
    fn by_look_ups(self, blocks: usize) -> usize {
        if blocks == 0 {
            return 0;
        }
        let (Some(tables), Some(interleaved)) = (self.tables, self.interleaved) else {
            return usize::MAX;
        };
        if blocks < self.from {
            return tables.blocks(blocks, 1);
        }
        interleaved.blocks(blocks, self.together).max(self.fewer)
    }

    /// Of how many blocks at least a record of independent blocks may be better served alone.
    pub(crate) fn alone_from(self, own_key: bool) -> usize {
        let Some((sliced, slices)) = self.slices else { return 0 };
        let (block, keys) = in_a_lane(sliced, slices, own_key);
        let mut alone = if own_key { self.schedule } else { 0 };
        let is_less = |by: Option<&Tables>| by.is_some_and(|by| by.block < block);
        if !is_less(self.tables) && !is_less(self.interleaved) {
            // Look-ups are no better for any number of blocks: it takes a call to be.
            alone += slices.least_call();
        }
        alone.saturating_sub(keys) / block
    }

    /// Whether a record of independent blocks is better served alone than in a lane.
    pub(crate) fn alone(self, blocks: usize, own_key: bool) -> bool {
        let Some((sliced, slices)) = self.slices else { return true };
        let (block, keys) = in_a_lane(sliced, slices, own_key);
        let schedule = if own_key { self.schedule } else { 0 };
        let (_, cost) = self.sliced(sliced, slices, blocks);
        schedule.saturating_add(cost) < blocks.saturating_mul(block).saturating_add(keys)
    }

    /// The lanes that are best for some pieces of work; none if they are better served one by one.
    pub(crate) fn lanes(self, load: &Load) -> Option<Width> {
        // In words of 32 bits the cost of much work is beyond counting; half of it is as well served.
        if load.blocks > usize::MAX >> 12 {
            let (pieces, longest) = match load.longest {
                0 | 1 => (load.pieces / 2, load.longest),
                longest => (load.pieces, longest.div_ceil(2)),
            };
            return self.lanes(&Load { pieces, blocks: load.blocks / 2, longest, ..*load });
        }
        let (sliced, slices) = self.slices?;
        let alone = self.tables.map(|tables| {
            let keys = if load.own_keys { tables.record.saturating_sub(tables.chain) } else { 0 };
            let blocks = if load.chained {
                load.blocks.saturating_mul(tables.chain)
            } else {
                let mean = load.blocks.div_ceil(load.pieces.max(1));
                load.pieces.saturating_mul(self.by_look_ups(mean))
            };
            move |part: usize| {
                (load.pieces.saturating_mul(keys) / part).saturating_add(blocks / part)
            }
        });
        // Sooner said than by what all of it costs in lanes.
        let least = slices.narrow.group.min(slices.wide.group);
        if alone.as_ref().is_some_and(|alone| alone(1) <= least) {
            return None;
        }
        let (width, cost, beside) = [(Width::Wide, &slices.wide), (Width::Narrow, &slices.narrow)]
            .map(|(width, costs)| {
                let (cost, beside) = load.in_lanes((width, sliced.lanes(width)), slices, costs);
                (width, cost, beside)
            })
            .into_iter()
            .min_by_key(|(_, cost, beside)| cost.saturating_add(*beside))?;
        let Some(alone) = alone else { return Some(width) };
        let in_lanes = |cost: usize| cost.saturating_add(beside);
        // Where one chain is much longer than others, the half of the work that is done after the
        // mean of their lengths may be worth it, and others follow.
        let mean = cost / load.longest.max(1) * load.blocks.div_ceil(load.pieces.max(1));
        let pays = in_lanes(cost) < alone(1) || load.chained && in_lanes(mean) < alone(2);
        pays.then_some(width)
    }

    /// Into pieces of how many blocks at most a load is best cut for lanes of a width.
    pub(crate) fn piece(self, width: Width, load: &Load) -> usize {
        let by = self.slices.map(|(sliced, slices)| {
            let costs = match width {
                Width::Wide => &slices.wide,
                Width::Narrow => &slices.narrow,
            };
            load.in_pieces(sliced.lanes(width), slices, costs).0
        });
        by.unwrap_or(1)
    }

    /// As [`Slices::are_cut_further`].
    pub(crate) fn are_cut_further(
        self,
        lanes: usize,
        pieces: usize,
        blocks: usize,
        parts: usize,
    ) -> bool {
        let by = self.of_lanes(lanes);
        by.is_some_and(|(slices, costs)| {
            slices.are_cut_further(costs, lanes, pieces, blocks, parts)
        })
    }

    /// What so many lanes cost, with those of other widths.
    fn of_lanes(self, lanes: usize) -> Option<(&'static Slices, &'static Costs)> {
        let (sliced, slices) = self.slices?;
        let (wide, costs) = most(sliced, slices);
        Some((slices, if lanes == wide { costs } else { &slices.narrow }))
    }
}

/// What a record in a lane costs for each block, and once, beside what every record of a batch costs.
fn in_a_lane(sliced: Sliced, slices: &'static Slices, own_key: bool) -> (usize, usize) {
    let (lanes, costs) = most(sliced, slices);
    (costs.group / lanes + slices.lane, if own_key { costs.keys / lanes } else { 0 })
}

/// The most lanes and what they cost: of two widths with as many, the one with cheaper groups.
fn most(sliced: Sliced, slices: &'static Slices) -> (usize, &'static Costs) {
    let [wide, narrow] = [Width::Wide, Width::Narrow].map(|width| sliced.lanes(width));
    let is_narrow = wide == narrow && slices.narrow.group < slices.wide.group;
    (wide, if is_narrow { &slices.narrow } else { &slices.wide })
}

/// What a key object costs.
fn schedule(shape: Shape) -> usize {
    [230, 400][column(shape)]
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;
    use crate::backend::{Family, Policy};
    use crate::dispatch::{FEW, available};
    use crate::kernels::bitslice::MOST_LANES;
    use crate::kernels::cpu::{FEATURES, Vendor, model, of_model};

    /// With all backends that run here: one for little work, or another for blocks interleaved together
    /// if that is cheaper, and slices.
    fn all() -> Vec<(Planner, Few, Backend, Shape)> {
        let own = available().backends().iter().copied().filter(|one| one.family() == Family::Des);
        let mut all = Vec::new();
        for there in Vendor::EVERY.map(|vendor| Available::with(of_model(model()).0, vendor)) {
            for shape in [Shape::Single, Shape::Ede, Shape::Eee] {
                let block = |backend| there.tables(backend, shape).map(|tables| tables.block);
                for many in own.clone().filter(|many| there.slices(*many, shape).is_some()) {
                    for single in own.clone() {
                        let cheaper = |other: &Backend| block(*other) < block(single);
                        let looks_up = |other: &Backend| block(*other).is_some();
                        let others = own.clone().filter(cheaper).filter(looks_up);
                        // Where look-ups take less than any group of slices, nobody chooses such slices beside them.
                        let lanes = Sliced::of(many).expect("has slices").lanes(Width::Wide);
                        let group = there
                            .slices(many, shape)
                            .map(|slices| slices.wide.key + slices.wide.group);
                        let is_worth = |other: &Backend| {
                            block(*other).is_none_or(|block| group < Some(block * lanes))
                        };
                        for interleaved in others.chain([single]).filter(is_worth) {
                            let from = there.interleaved_from();
                            let few =
                                Few { single, interleaved, from, little: 0, group: Width::Wide };
                            all.push((Planner::new(&there, few, many, shape), few, many, shape));
                        }
                    }
                }
            }
        }
        assert!(!all.is_empty(), "nothing to plan");
        all
    }

    /// What a plan costs by the table of costs.
    fn cost(planner: Planner, blocks: usize) -> usize {
        let plan = planner.plan(blocks);
        let (sliced, slices) = planner.slices.unwrap();
        let mut cost = 0;
        for (width, costs, part) in
            [(Width::Wide, &slices.wide, plan.wide), (Width::Narrow, &slices.narrow, plan.narrow)]
        {
            if part > 0 {
                cost += costs.key + part.div_ceil(sliced.lanes(width)) * costs.group;
            }
        }
        match blocks - plan.wide - plan.narrow {
            0 => cost,
            rest => cost + planner.by_look_ups(rest),
        }
    }

    #[test]
    fn more_blocks_never_cost_less() {
        for (planner, few, many, shape) in all() {
            let costs: Vec<_> = (0..3_000).map(|blocks| cost(planner, blocks)).collect();
            for blocks in 1..costs.len() {
                let (less, more) = (costs[blocks - 1], costs[blocks]);
                assert!(less <= more, "{few:?}, {many:?}, {shape:?}: {blocks}: {less}, {more}");
            }
        }
    }

    #[test]
    fn plans_serve_all_blocks() {
        for (planner, few, many, shape) in all() {
            let (sliced, _) = planner.slices.unwrap();
            let wide = sliced.lanes(Width::Wide);
            for blocks in (0..2_000).chain([usize::MAX]) {
                let Plan { wide: first, narrow } = planner.plan(blocks);
                let left = blocks - first - narrow;
                let what = (few, many, shape, blocks);
                assert!(planner.tables.is_some() || left == 0, "{what:?}");
                assert!(left < wide && (narrow < wide || first == 0), "{what:?}");
                let whole = blocks / wide * wide;
                assert!(first.max(narrow) >= whole || first == 0 && blocks < 2 * wide, "{what:?}");
            }
            assert_eq!(planner.plan(0), Plan::default());
            assert!(planner.tables.is_none() || !planner.plan(4).is_sliced());
            assert!(planner.plan(256).is_sliced());
        }
    }

    #[test]
    fn full_lanes_are_worth_a_call_and_two_are_not() {
        for (planner, few, many, shape) in all() {
            let load = |pieces: usize, longest: usize| Load {
                pieces,
                blocks: pieces * longest,
                longest,
                chained: true,
                own_keys: true,
                group: None,
                begun: false,
                keyed: None,
            };
            let what = (few, many, shape);
            for blocks in [1, 2, 1_000, 1_000_000] {
                let two = planner.lanes(&load(2, blocks));
                assert_eq!(two.is_some(), planner.tables.is_none(), "{what:?}, {blocks} blocks");
                let full = planner.lanes(&load(MOST_LANES, blocks));
                let lanes = |width| planner.slices.unwrap().0.lanes(width);
                let most = Some(lanes(Width::Wide));
                assert_eq!(full.map(lanes), most, "{what:?}, {blocks} blocks");
            }
            // One long chain among many short ones does not keep them out of their lanes.
            let mixed = Load { blocks: MOST_LANES * 10 + 500, longest: 510, ..load(MOST_LANES, 1) };
            assert!(planner.lanes(&mixed).is_some(), "{what:?}");
        }
    }

    /// Who has its keys already is never worse off, and a load that had no lanes may go on in them.
    #[test]
    fn lanes_that_have_their_keys_go_on_with_less() {
        let mut goes_on = 0;
        for (planner, few, many, shape) in all() {
            for (pieces, has) in (1..64).flat_map(|n| [(n, Width::Wide), (n, Width::Narrow)]) {
                let load = Load {
                    pieces,
                    blocks: 3 * pieces,
                    longest: 4,
                    chained: true,
                    own_keys: true,
                    begun: true,
                    ..Load::default()
                };
                let keyed = planner.lanes(&Load { keyed: Some(has), ..load });
                let what = (few, many, shape, pieces);
                match planner.lanes(&load) {
                    Some(_) => assert!(keyed.is_some(), "{what:?}"),
                    None if keyed.is_some() => {
                        assert_eq!(keyed, Some(has), "{what:?}");
                        goes_on += 1;
                    }
                    None => {}
                }
            }
        }
        assert!(goes_on > 0);
    }

    /// Blocks of records are each a piece where that fills fewer groups.
    #[test]
    fn blocks_are_pieces_where_there_are_lanes_for_all() {
        for (planner, few, many, shape) in all() {
            let (sliced, _) = planner.slices.unwrap();
            for pieces in [2, 8, sliced.lanes(Width::Wide) / 8] {
                let load = Load {
                    pieces,
                    blocks: 5 * pieces,
                    longest: 7,
                    own_keys: true,
                    ..Load::default()
                };
                let most = planner.piece(Width::Wide, &load);
                assert_eq!(most, 1, "{few:?}, {many:?}, {shape:?}: {pieces}");
            }
        }
    }

    #[test]
    fn long_records_are_served_alone() {
        for (planner, few, many, shape) in all() {
            for own_key in [false, true] {
                let from = planner.alone_from(own_key);
                assert!(from > 1 && from < 10_000 * MOST_LANES, "{few:?}, {many:?}, {shape:?}");
                for blocks in 1..from {
                    let what = (few, many, shape, blocks);
                    assert!(!planner.alone(blocks, own_key), "{what:?}");
                }
                assert!(!planner.alone(1, own_key), "{few:?}, {many:?}, {shape:?}");
                assert!(
                    planner.alone(10_000 * MOST_LANES, own_key),
                    "{few:?}, {many:?}, {shape:?}"
                );
            }
        }
    }

    /// The limits that are made when the table of backends is compiled, for every processor.
    #[test]
    fn little_and_a_group_are_what_the_planner_says() {
        let mut groups = 0;
        let sets =
            (0..1 << FEATURES.len()).flat_map(|set| Vendor::EVERY.map(|vendor| (set, vendor)));
        for there in sets.map(|(set, vendor)| Available::with(set, vendor)) {
            for shape in [Shape::Single, Shape::Ede] {
                for policy in [Policy::Fastest, Policy::ConstantTime] {
                    let few = there.few(shape, policy);
                    let planner = Planner::new(&there, few, there.sliced(), shape);
                    let looks_up = there.tables(few.single, shape).is_some();
                    assert!(!looks_up || few.little >= FEW - 1 && few.from >= FEW, "{few:?}");
                    // By what they cost, not by the planner's slices: it has none that do not run here.
                    let least = there.slices(there.sliced(), shape).unwrap().least_call();
                    for blocks in 1..2 * few.little + 10 {
                        let is_little = planner.by_look_ups(blocks) <= least;
                        assert_eq!(is_little, blocks <= few.little, "{blocks}");
                    }
                    let Some((sliced, _)) = planner.slices else { continue };
                    for blocks in few.little + 1..=sliced.lanes(Width::Narrow) {
                        let plan = match few.group {
                            Width::Wide => Plan { wide: blocks, narrow: 0 },
                            Width::Narrow => Plan { wide: 0, narrow: blocks },
                        };
                        assert_eq!(planner.plan(blocks), plan, "{few:?}, {shape:?}: {blocks}");
                        groups += 1;
                    }
                }
            }
        }
        assert!(groups > 0);
    }
}
