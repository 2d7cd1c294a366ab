"The rule-based rewriter on real reviews: imperfect, and by how much."
import numpy as np
from rate_nb.theory.text_world import rewrite
from rate_nb.data.examples import load_imdb_counterfactual


class NaiveBayes:
    "Bag-of-words sentiment, Laplace-smoothed: knows nothing of the rewriter's lexicon"
    def fit(self, texts, labels):
        words = sorted({w for t in texts for w in self.words(t)})
        self.place = {w: i for i, w in enumerate(words)}
        present = np.array([self.row(t) for t in texts])
        rate = lambda rows: (rows.sum(0) + 1) / (len(rows) + 2)
        one, zero = rate(present[labels == 1]), rate(present[labels == 0])
        self.weight = np.log(one / zero)
        return self

    def words(self, text): return set(text.lower().replace("<br />", " ").replace("*", "").split())
    def row(self, text):
        row = np.zeros(len(self.place))
        row[[self.place[w] for w in self.words(text) if w in self.place]] = 1
        return row
    def score(self, texts): return np.array([self.row(t) @ self.weight for t in texts])


def split(data, name):
    pairs = load_imdb_counterfactual(data / "imdb_counterfactual" / f"{name}_paired.tsv")
    texts = pairs.response.tolist() + pairs.counterfactual.tolist()
    return texts, np.r_[pairs.w, 1 - pairs.w].astype(int)


def test_compliance_on_real_reviews(data, capsys):
    ("How often an independent classifier, trained on other reviews, sees the sentiment that was asked for; "
     "and how often a length flips")
    judge = NaiveBayes().fit(*split(data, "test"))
    texts, w = split(data, "dev")
    cut = np.median(judge.score(texts))
    accuracy = ((judge.score(texts) > cut) == w).mean()
    flipped = [rewrite(t, "sentiment", 1 - k, seed=0) for t, k in zip(texts, w)]
    complied = ((judge.score(flipped) > cut) == 1 - w).mean()
    # as an audit of length labels them
    long = np.array([len(t) for t in texts]) > np.median([len(t) for t in texts])
    resized = [len(rewrite(t, "length", 1 - k, seed=0)) - len(t) for t, k in zip(texts, long)]
    moved = (np.sign(resized) == np.where(long, -1, 1)).mean()
    with capsys.disabled():
        print(f"\nsentiment compliance {complied:.2f} by a classifier right on {accuracy:.2f} of human "
              f"texts; length compliance {moved:.3f}")
    assert accuracy > .8 and complied > .7 and moved > .99
