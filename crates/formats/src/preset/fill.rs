//! Paddings of the last block, judged by all their bytes. The data is old and lies still: who decrypts it
//! answers nobody, so these need not take the same time for all contents.

use super::row::Fill;

impl Fill {
    /// Whether a message has at least a byte of it.
    pub(super) fn is_always(self) -> bool {
        matches!(self, Self::Pkcs7 | Self::Stars | Self::Mcrypt)
    }

    /// How many bytes of `message` are padding, or `None` where it is wrong.
    pub(super) fn count(self, message: &[u8], block: usize) -> Option<usize> {
        let last = message.last().copied();
        match self {
            Self::None => Some(0),
            Self::Zeros => Some(message.iter().rev().take_while(|&&byte| byte == 0).count()),
            Self::Mcrypt => block
                .checked_sub(usize::from(last?))
                .filter(|&count| (1..=message.len()).contains(&count)),
            Self::Pkcs7 | Self::Stars => {
                let last = last?;
                let count = usize::from(last);
                if count == 0 || count > block || count > message.len() {
                    return None;
                }
                let fill = if self == Self::Stars { b'*' } else { last };
                let (_, padding) = message.split_at(message.len() - count);
                padding[..count - 1].iter().all(|&byte| byte == fill).then_some(count)
            }
        }
    }

    /// Appends the padding. `None`: nothing fills the last block.
    pub(super) fn append(self, message: &mut Vec<u8>, block: usize) -> Option<()> {
        let count = block - message.len() % block;
        match self {
            Self::None => return (count == block).then_some(()),
            Self::Zeros => message.resize(message.len() + count % block, 0),
            Self::Pkcs7 => message.resize(message.len() + count, count as u8),
            Self::Stars | Self::Mcrypt => {
                let (fill, last) =
                    if self == Self::Stars { (b'*', count) } else { (0, block - count) };
                message.resize(message.len() + count - 1, fill);
                message.push(last as u8);
            }
        }
        Some(())
    }
}
