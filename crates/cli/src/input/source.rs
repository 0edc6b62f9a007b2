//! Where input comes from.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

/// A file, or standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// Standard input.
    Standard,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// The sources that the arguments name: standard input where there are none; `-` is standard input, too.
    pub(crate) fn of(files: &[PathBuf]) -> Vec<Self> {
        if files.is_empty() {
            return vec![Self::Standard];
        }
        let source =
            |file: &PathBuf| if file.as_os_str() == "-" { Self::Standard } else { Self::File(file.clone()) };
        files.iter().map(source).collect()
    }

    /// The name as people know it.
    pub(crate) fn name(&self) -> Arc<str> {
        match self {
            Self::Standard => "stdin".into(),
            Self::File(path) => path.display().to_string().into(),
        }
    }

    /// Opens it for reading.
    pub(crate) fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        match self {
            Self::Standard => Ok(Box::new(io::stdin())),
            Self::File(path) if path.is_dir() => {
                Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; name the files in it"))
            }
            Self::File(path) => Ok(Box::new(File::open(path)?)),
        }
    }

    /// Reads all of it as text, within a bound. Bytes that are no UTF-8 are replaced.
    pub(crate) fn read_text(&self, max_bytes: u64) -> io::Result<String> {
        Ok(String::from_utf8_lossy(&self.read_bytes(max_bytes)?).into_owned())
    }

    /// Reads all of it, within a bound.
    pub(crate) fn read_bytes(&self, max_bytes: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open()?.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > max_bytes {
            let message = format!("it is larger than {max_bytes} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        Ok(bytes)
    }

    /// Its size in bytes, where the system knows one.
    pub(crate) fn size(&self) -> Option<u64> {
        match self {
            Self::Standard => None,
            Self::File(path) => {
                path.metadata().ok().filter(std::fs::Metadata::is_file).map(|data| data.len())
            }
        }
    }
}
