// What a model file holds, as far as the page reads it (models/model.schema.json has all of it), and the names that
// many modules use for each other's types.

type Cell = import("./conditions.js").Cell;
type Row = import("./conditions.js").Row;
type Condition = import("./conditions.js").Condition;
type Decision = import("./answers.js").Decision;
type Shape = import("./tree.js").Shape;
type Walk = import("./tree.js").Walk;
type Study = import("./main.js").Study;
type TreeStudy = import("./main.js").TreeStudy;
type Answered = import("./predict.js").Answered;
type Changed = import("./moves.js").Changed;
type Constraints = import("./moves.js").Constraints;
type Options = import("./boxes.js").Options;
type Layout = import("./layout.js").Layout;
type Place = import("./layout.js").Place;
type Direction = import("./layout.js").Direction;
type Letters = import("./tokens.js").Letters;

/** A number, or the text of a whole number or a fraction. */
type Written = number | string;

interface Column {
    name: string;
    kind: string;
    values: string[]; // of a nominal or ordinal column; others have none
}

interface Schema {
    columns: Column[];
    target: Column;
    /** By column ("": of all), which value is read as which other; null: as a missing cell. */
    read_as?: Record<string, Record<string, string | null>>;
}

interface AnyModel {
    schema: Schema;
    decision: Decision;
}

interface TreeModel extends AnyModel {
    model: "tree";
    nodes: import("./tree.js").Node[];
    answers?: "mean" | "median" | "step";
    /** Its counts are of balanced rows; the shares are those of the classes as they came. */
    balanced?: boolean;
}

interface RuleModel extends AnyModel {
    model: "rules";
    rules: import("./rules.js").Rule[];
    otherwise: import("./rules.js").DefaultRule;
    matching: "first" | "vote";
    answers?: "mean" | "median";
}

interface BayesModel extends AnyModel {
    model: "bayes";
    classes: Written[];
    priors: "equal" | "estimated" | number[];
    distributions: Distribution[];
}

interface LinearModel extends AnyModel {
    model: "linear";
    terms: import("./linear.js").Term[];
    ranges?: Record<string, [number, number]>; // of numeric columns, where the model has a profile of its rows
    dependent: { column: string; is?: string; missing?: boolean }[];
    contrasts: string[];
    against: string | null;
    intercepts: number[];
    averages: { [column: string]: number[] };
    fills: { [column: string]: number | string };
    references: { [column: string]: string };
}

interface AdditiveModel extends AnyModel {
    model: "additive";
    base: number[];
    link: "identity" | "logistic" | "softmax" | "exp";
    terms: import("./additive.js").AdditiveTerm[];
}

interface EnsembleModel extends AnyModel {
    model: "ensemble";
    members: Member[]; // the first of them where `left_out` says why not all
    left_out: string;
    columns: string[]; // that a member uses
    weights: number[]; // none: 1 each
    combined_by: "mean" | "votes" | "sum";
    base: number[];
    link: "identity" | "logistic" | "softmax" | "exp";
    adds_to: number[]; // by member: the score of a sum
    quantile: number | null; // of the target, that a sum predicts; else its mean
}

/** A model by itself; among members it comes without schema and decision, which `memberOf` adds. */
type Member = TreeModel | RuleModel | BayesModel | LinearModel;

type Model = Member | EnsembleModel | AdditiveModel;

type Counted = "multinomial" | "bernoulli" | "complement";

interface Categorical {
    kind: "categorical";
    column: string;
    counts: Written[][];
    smoothing: "laplace" | number;
    prior: "equal" | "overall" | number[];
}

interface Cuts {
    kind: "cuts";
    column: string;
    cuts: number[];
    counts: Written[][];
    smoothing: "laplace" | number;
}

interface Gaussian {
    kind: "gaussian";
    column: string;
    weights: Written[];
    sums: Written[];
    squares: Written[];
    floor: number;
}

interface Kernel {
    kind: "kernel";
    column: string;
    points: [number, Written][][];
    bandwidth: string;
    floor: number;
}

interface Bag {
    kind: "bag";
    columns: string[];
    event: Counted;
    counts: Written[][];
    known: Written[][];
    alpha: number;
}

interface Words {
    kind: "words";
    column: string;
    words: string[];
    event: Counted;
    counts: Written[][];
    documents: Written[][];
    known: Written[];
    reading: import("./tokens.js").Reading;
    alpha: number;
}

type Distribution = Categorical | Cuts | Gaussian | Kernel | Bag | Words;
