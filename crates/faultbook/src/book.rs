//! The book that a host keeps open: a catalogue that threads share and that can be replaced while they read.

use std::sync::Arc;

use arc_swap::ArcSwap;
use faultbook_engine::{Catalogue, Explanation};
use faultbook_evidence::Envelope;
use faultbook_taxonomy::Classification;

use crate::{Packs, Problems};

/// A loaded set of packs. Cheap to clone; clones see each other's reloads.
///
/// ```
/// use faultbook::{Channel, Envelope, Faultbook, Signal};
///
/// let book = Faultbook::core()?;
/// let envelope = Envelope::of(vec![Signal::text(Channel::Stderr, "nothing in particular")]);
/// let answer = book.classify(&envelope);
/// assert_eq!(answer.code, None);
/// # Ok::<(), faultbook::Problems>(())
/// ```
#[derive(Debug, Clone)]
pub struct Faultbook {
    current: Arc<ArcSwap<Catalogue>>,
}

impl Faultbook {
    /// Opens the embedded `core` pack.
    ///
    /// # Errors
    /// See [`Packs::load`].
    pub fn core() -> Result<Self, Problems> {
        Self::open(&Packs::core())
    }

    /// Loads packs and opens them.
    ///
    /// # Errors
    /// See [`Packs::load`].
    pub fn open(packs: &Packs) -> Result<Self, Problems> {
        Ok(Self { current: Arc::new(ArcSwap::from_pointee(packs.load()?)) })
    }

    /// The catalogue that answers now. It stays as it is, whatever is reloaded later.
    #[must_use]
    pub fn catalogue(&self) -> Arc<Catalogue> {
        self.current.load_full()
    }

    /// Classifies an envelope.
    #[must_use]
    pub fn classify(&self, envelope: &Envelope) -> Classification {
        self.current.load().classify(envelope)
    }

    /// Classifies an envelope and says how the answer came about.
    #[must_use]
    pub fn explain(&self, envelope: &Envelope) -> Explanation {
        self.current.load().explain(envelope)
    }

    /// Loads packs and puts them in the place of the present ones, at once for every thread. Answers under way are
    /// finished with the catalogue that they began with.
    ///
    /// ```
    /// use faultbook::{Faultbook, PackTrust, Packs};
    ///
    /// let book = Faultbook::core()?;
    /// let before = book.catalogue().digest().to_owned();
    /// let broken = Packs::core().folder("no/such/folder", PackTrust::Trusted);
    /// assert!(book.reload(&broken).is_err());
    /// assert_eq!(book.catalogue().digest(), before);
    /// # Ok::<(), faultbook::Problems>(())
    /// ```
    ///
    /// # Errors
    /// The problems of the new packs; the present catalogue then stays.
    pub fn reload(&self, packs: &Packs) -> Result<(), Problems> {
        let catalogue = packs.load()?;
        self.current.store(Arc::new(catalogue));
        Ok(())
    }
}
