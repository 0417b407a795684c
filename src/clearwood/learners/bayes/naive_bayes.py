"""Naive Bayes: one distribution per column and class, as if the columns were independent given the class."""

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Final, Literal, get_args

from clearwood.bounds import Least, Whole
from clearwood.errors import Advice, LearningError, Place, SettingError, no_such
from clearwood.learners.bayes.merging import (
    emptied,
    faded_model,
    joined_schema,
    learned_more,
    merged,
    new_classes,
)
from clearwood.learners.bayes.settings import (
    ByColumn,
    DistributionName,
    Ngrams,
    OfNumbers,
    StopList,
    Texts,
    ValuePriors,
    class_priors,
    stop_words_of,
    value_prior,
)
from clearwood.learners.bayes.sums import summed, warn_if_wordless
from clearwood.learners.discretising import CutMethod, cuts_for
from clearwood.learners.training import decision_of, origin_of, usable_rows
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import floats
from clearwood.models.kinds.bayes.distributions import (
    EVENTS,
    Bag,
    Bandwidth,
    Categorical,
    Cuts,
    Distribution,
    Event,
    Gaussian,
    Kernel,
    Smoothing,
    Words,
)
from clearwood.models.model import refuse_balanced
from clearwood.registry import CheckedSettings, Costs, Letter, Priors, Proportion
from clearwood.table.attributes import Attribute, Ignored, Numeric, Text
from clearwood.table.table import Table
from clearwood.table.text import TextReading

_OF_NUMBERS: Final = get_args(OfNumbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class NaiveBayes(CheckedSettings):
    """P(class|row) in proportion to P(class) · Π P(cell|class), in logs.

    A nominal or ordinal column counts its values; P(a|c) = (n + m·p) ÷ (N + m), with `smoothing` "laplace"
    (m is the number of values the schema lists), "none" (m = 0; a zero stays a zero) or the number m, and p
    by `m_prior`: "equal" 1/k, "overall" the value's share of all rows, or shares given by column and value.
    Numeric columns follow `numeric`: "gaussian" (variance by n; of a class whose cells are all equal
    that within the classes together; at least `floor` × that of the whole column), "kernel" (`bandwidth`),
    "cuts" (`cut_method`, `bins`; the cuts of the schema where it gives any), or with all its like one bag of
    counts, "multinomial", "bernoulli" or "complement" with `alpha`. `distributions` sets it for single
    columns by name.

    Empty cells are skipped, in learning and in prediction. An unseen value has n = 0 and the smallest p.
    A class without a known cell in a numeric column has the curve of the whole column; a column that never
    varied is ignored. `priors` are the classes' shares of the rows (None), "equal", or numbers by class,
    of which only the proportions count. A column of the whole numbers 1, 2, 3 that stand for names should
    be declared nominal.

    A text column is a bag of its words under `text` ("multinomial", "bernoulli" or "complement"), with
    `alpha` above 0. Words are runs of letters and digits, in lower case unless `lower` is False, each
    ideograph and emoji being one (`table.text.TextReading` has the rules); `ngrams` (1, 2) counts pairs
    of neighbours too. `stop_words` are left out: "english", or a list. Only words in at least
    `min_documents` and at most `max_documents` of the texts are used (a whole number of texts, or a share
    such as 0.5; texts are counted, whatever they weigh), of these the `most_words` most frequent. The model
    keeps all words met and applies these limits when it answers, so that it can still learn more. Words it
    does not know are ignored.

    `learn_more` adds rows to a model, exactly: the result is the model of all rows together. With `decay`
    below 1 what was learned before first keeps only that part of its weight.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("buys_computer"), target="buys_computer")
    >>> model = NaiveBayes().learn(table)
    >>> model["income"].counts[model.schema.classes.index("yes")]
    (2, 3, 4)
    """

    learns_numbers: ClassVar[bool] = False

    distributions: ByColumn = None
    numeric: Annotated[
        OfNumbers,
        "The distribution of numbers: normal, kernel, cuts, or counts of all such columns together.",
    ] = "gaussian"
    smoothing: Annotated[
        Literal["laplace", "none"] | float,
        Least(0),
        Letter("smoothing"),
        "Smoothing of counts: laplace adds 1 to each value, a number m is the m-estimate; none.",
    ] = "laplace"
    m_prior: ValuePriors = "equal"
    alpha: Annotated[
        float,
        Least(0),
        Letter("alpha"),
        "Added to every count of words, and of multinomial, bernoulli and complement columns.",
    ] = 1.0
    floor: Annotated[
        float, Least(0), Letter("floor"), "Least variance, as a fraction of the column's variance."
    ] = 1e-9
    bandwidth: Annotated[
        Bandwidth,
        Letter("bandwidth"),
        "Width of the kernels of numeric=kernel: scott, silverman, or range as in WEKA.",
    ] = "scott"
    cut_method: Annotated[
        CutMethod, "With numeric=cuts: mdl uses the classes; width and frequency make equal parts."
    ] = "mdl"
    bins: Annotated[int, Whole(2), "The number of intervals, with width and frequency."] = 10
    text: Annotated[
        Event, "How words count: each time (multinomial, complement), or once per text (bernoulli)."
    ] = "multinomial"
    ngrams: Ngrams = (1, 1)
    stop_words: StopList = None
    lower: Annotated[bool, "Turn texts into lower case."] = True
    min_documents: Annotated[
        Texts, "Leave out words that occur in fewer texts than this: a number, or a fraction like 0.01."
    ] = 1
    max_documents: Annotated[
        Texts, "Leave out words that occur in more texts than this: a number, or a fraction like 0.5."
    ] = 1.0
    most_words: Annotated[int | None, Whole(1), "Use only this many words, the most frequent; none: all."] = (
        None
    )
    decay: Annotated[
        Proportion, "When rows are added later, the weight of earlier rows is multiplied by this."
    ] = 1.0
    priors: Annotated[
        Priors, "equal, or CLASS:SHARE: how frequent the classes are; none: as in the table."
    ] = None
    costs: Costs = None

    def learn(self, table: Table) -> BayesTables:
        rows = usable_rows(self, table, reads_text=True)
        plan = self.plan(rows)
        classes, distributions = summed(plan, rows)
        warn_if_wordless(distributions)
        decision = decision_of(rows.schema, floats(classes), None, self.costs)
        priors = class_priors(rows.schema, self.priors)
        return BayesTables(rows.schema, classes, distributions, priors, decision, origin_of(self, table))

    def learn_more(self, model: BayesTables, table: Table) -> BayesTables:
        """The model with these rows added, under the model's own distributions and smoothing.

        New values and new classes join the schema. A cell that the table's schema does not list (read under
        the model's schema, a new value) is skipped like an empty one.
        """
        if not isinstance(model, BayesTables):
            raise LearningError(f"NaiveBayes adds to a BayesTables, not to a {type(model).__name__}.")
        refuse_balanced(model.origin, "Learning more")
        rows = usable_rows(self, table, reads_text=True)
        joined_schema(model.schema, rows.schema)  # refuses columns that are missing or of another kind
        new_classes(model, rows.schema.classes)  # refused where priors are given
        classes, distributions = summed(
            tuple(emptied(each, rows.schema) for each in model.distributions), rows
        )
        priors = model.priors if isinstance(model.priors, str) else "estimated"
        new = BayesTables(rows.schema, classes, distributions, priors, origin=origin_of(self, table))
        faded = replace(faded_model(model, self.decay), priors=priors)
        origin = learned_more(model.origin, new.origin)
        return replace(merged(faded, new), priors=model.priors, origin=origin)

    def plan(self, rows: Table) -> tuple[Distribution, ...]:
        """The distribution of each column, without sums; those of a bag stand where its first one does."""
        schema = rows.schema
        chosen = self.distributions or {}
        for name in chosen:
            if name not in schema.positions:
                raise SettingError(f"distributions: {no_such('column', name, schema.positions)}")
        named = {a.name: self._choice(a) for a in schema.inputs}
        cut: dict[str, tuple[float, ...]] = {name: () for name, kind in named.items() if kind == "cuts"}
        if cut:
            attributes = tuple(a if a.name in cut else Ignored(a.name) for a in schema.attributes)
            rows_to_cut = replace(rows, schema=replace(schema, attributes=attributes), checked=True)
            cut = cuts_for(rows_to_cut, self.cut_method, self.bins)
        bags: dict[DistributionName, list[str]] = {}
        for name, kind in named.items():
            if kind in EVENTS and not isinstance(schema[name], Text):
                bags.setdefault(kind, []).append(name)
        plan: list[Distribution] = []
        for name, kind in named.items():
            if isinstance(schema[name], Text):
                plan.append(self._words(name, kind))
                continue
            match kind:
                case "categorical":
                    plan.append(Categorical(name, (), self._m(), value_prior(schema[name], self.m_prior)))
                case "gaussian":
                    plan.append(Gaussian(name, (), (), (), float(self.floor)))
                case "kernel":
                    plan.append(Kernel(name, (), self.bandwidth, float(self.floor)))
                case "cuts":
                    plan.append(Cuts(name, cut[name], (), self._m()))
                case event:
                    if event == "complement" and not self.alpha > 0:
                        raise SettingError("complement needs an alpha above 0.")
                    if name == bags[event][0]:
                        plan.append(Bag(tuple(bags[event]), event, (), (), float(self.alpha)))
        return tuple(plan)

    def _choice(self, attribute: Attribute) -> DistributionName:
        chosen = (self.distributions or {}).get(attribute.name)
        if isinstance(attribute, Numeric):
            if chosen == "categorical":
                raise SettingError(
                    f"Column '{attribute.name}' is numeric. Choose one of {', '.join(_OF_NUMBERS)}, or "
                    "declare it: ",
                    Advice("kinds", {attribute.name: "nominal"}),
                    ".",
                    place=Place(column=attribute.name),
                )
            return chosen or self.numeric
        if isinstance(attribute, Text):
            if chosen not in (None, *EVENTS):
                raise SettingError(f"Column '{attribute.name}' is text. Choose one of {', '.join(EVENTS)}.")
            return chosen or self.text
        if chosen not in (None, "categorical"):
            raise SettingError(
                f"Column '{attribute.name}' is {attribute.kind}, and {chosen} is for numbers. "
                "Leave it to 'categorical', or declare it: ",
                Advice("kinds", {attribute.name: "numeric"}),
                ".",
                place=Place(column=attribute.name),
            )
        return "categorical"

    def _m(self) -> Smoothing:
        if self.smoothing == "none":
            return 0.0
        return "laplace" if self.smoothing == "laplace" else float(self.smoothing)

    def _words(self, name: str, kind: DistributionName) -> Words:
        if not self.alpha > 0:
            raise SettingError(
                f"Column '{name}' is text, and words need an alpha above 0: most texts lack most words."
            )
        reading = TextReading(
            self.lower,
            self.ngrams,
            stop_words_of(self.stop_words, lower=self.lower),
            self.min_documents,
            self.max_documents,
            self.most_words,
        )
        event = next(each for each in EVENTS if each == kind)
        return Words(name, event, (), (), (), (), (), 0, reading, float(self.alpha))
