//! A terminal of the tests' own, whose settings they can look at.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};

use crate::common::Folder;

/// A program on a terminal.
pub(crate) struct Session {
    /// The person's side.
    person: File,
    /// The program's side, kept open so that its settings stay.
    terminal: OwnedFd,
    child: Child,
    /// All that was shown, as far as it was waited for.
    pub(crate) shown: String,
}

impl Session {
    /// Starts a program with its arguments as the first of a session on a new terminal.
    pub(crate) fn start(folder: &Folder, program: &[&str]) -> Self {
        let person =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&person).unwrap();
        unlockpt(&person).unwrap();
        let name = ptsname(&person, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let terminal = rustix::fs::open(&*name, flags, Mode::empty()).unwrap();
        let side = || Stdio::from(terminal.try_clone().unwrap());
        let child = Command::new("setsid")
            .args(["--ctty", "env", "--default-signal=INT,QUIT,TERM,HUP,TSTP"])
            .args(program)
            .current_dir(folder.path())
            .stdin(side())
            .stdout(side())
            .stderr(side())
            .spawn()
            .unwrap();
        Self { person: person.into(), terminal, child, shown: String::new() }
    }

    /// Waits until `text` is shown, and forgets all up to it.
    pub(crate) fn wait_for(&mut self, text: &str) {
        while !self.shown.contains(text) {
            assert!(self.read(60), "no {text:?} came, but {:?}", self.shown);
        }
        let end = self.shown.find(text).unwrap() + text.len();
        self.shown.drain(..end);
    }

    /// Types, in one piece.
    pub(crate) fn types(&mut self, keys: impl AsRef<[u8]>) {
        self.person.write_all(keys.as_ref()).unwrap();
    }

    pub(crate) fn id(&self) -> String {
        self.child.id().to_string()
    }

    /// Whether the terminal shows what is typed.
    pub(crate) fn has_echo(&self) -> bool {
        tcgetattr(&self.terminal).unwrap().local_modes.contains(LocalModes::ECHO)
    }

    /// Waits for the end of the program; the rest of what it showed is in `shown` then.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let status = loop {
            // A program waits for a reader of what it shows.
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            self.read_for(Timespec { tv_sec: 0, tv_nsec: 10_000_000 });
        };
        while self.read(0) {}
        status
    }

    fn read(&mut self, seconds: i64) -> bool {
        self.read_for(Timespec { tv_sec: seconds, tv_nsec: 0 })
    }

    fn read_for(&mut self, time: Timespec) -> bool {
        let mut ready = [PollFd::new(&self.person, PollFlags::IN)];
        if poll(&mut ready, Some(&time)).unwrap() == 0 {
            return false;
        }
        let mut piece = [0; 4096];
        let count = self.person.read(&mut piece).unwrap_or(0);
        self.shown += &String::from_utf8_lossy(&piece[..count]);
        count > 0
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
