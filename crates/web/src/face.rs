//! What the page calls: functions on numbers.
//!
//! The page writes bytes to [`room`], calls a function with their number, and finds the answer at [`reply`]. A
//! function that returns `false` has left an error there, in words. There is one session, as there is one file
//! or one column at a time.

// A function has to have its own name to be called by it.
#![expect(
    unsafe_code,
    reason = "`no_mangle`: the names are the page's, and nothing else is linked"
)]

use std::cell::RefCell;

use crate::session::{Answer, Session};

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
}

/// Has the session answer a question of `len` bytes.
fn ask(len: usize, question: impl FnOnce(&mut Session, &[u8]) -> Answer) -> bool {
    SESSION.with_borrow_mut(|session| session.answer(len, question))
}

/// Room for a question of `len` bytes.
#[unsafe(no_mangle)]
extern "C" fn room(len: usize) -> *mut u8 {
    SESSION.with_borrow_mut(|session| session.room(len).as_mut_ptr())
}

/// Where the last answer is: its bytes, or with `1` the report that goes with them.
#[unsafe(no_mangle)]
extern "C" fn reply(which: usize) -> *const u8 {
    SESSION.with_borrow(|session| session.reply(which).as_ptr())
}

/// How many bytes it has.
#[unsafe(no_mangle)]
extern "C" fn size(which: usize) -> usize {
    SESSION.with_borrow(|session| session.reply(which).len())
}

/// See [`Session::describe`].
#[unsafe(no_mangle)]
extern "C" fn describe() -> bool {
    ask(0, |session, _| session.describe())
}

/// See [`Session::recognise`]. `whole` is how many bytes the file has, if these are not all.
#[unsafe(no_mangle)]
extern "C" fn recognise(len: usize, whole: f64) -> bool {
    ask(len, |session, start| session.recognise(start, whole as u64))
}

/// See [`Session::fill_in`].
#[unsafe(no_mangle)]
extern "C" fn fill_in(len: usize) -> bool {
    ask(len, Session::fill_in)
}

/// See [`Session::open`].
#[unsafe(no_mangle)]
extern "C" fn open(len: usize) -> bool {
    ask(len, Session::open)
}

/// See [`Session::column`].
#[unsafe(no_mangle)]
extern "C" fn column(len: usize) -> bool {
    ask(len, Session::column)
}

/// See [`Session::sample`].
#[unsafe(no_mangle)]
extern "C" fn sample(len: usize) -> bool {
    ask(len, Session::sample)
}

/// See [`Session::skip`]. JavaScript's numbers are exact to 2^53.
#[unsafe(no_mangle)]
extern "C" fn skip(bytes: f64) -> bool {
    ask(0, |session, _| session.skip(bytes as u64))
}

/// See [`Session::begin`].
#[unsafe(no_mangle)]
extern "C" fn begin() -> bool {
    ask(0, |session, _| session.begin())
}

/// See [`Session::update`].
#[unsafe(no_mangle)]
extern "C" fn update(len: usize) -> bool {
    ask(len, Session::update)
}

/// See [`Session::finish`].
#[unsafe(no_mangle)]
extern "C" fn finish() -> bool {
    ask(0, |session, _| session.finish())
}
