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
    columns: string[]; // that are used
    quantile: number | null; // of the target, that it predicts; null: its mean, or classes
    thresholds: Record<string, number[]>; // by numeric column, at which the answer can turn
    spans: Record<string, [number | null, number | null]>; // between which its other numbers lie, as far as it knows
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
    weights: number[][]; // by rule, the default rule last: of the rows behind each class; none of numbers
    counted: boolean[]; // by rule, the default rule last: were there any?
    answers?: "mean" | "median";
}

/** Bayes tables, weights and curves: what stands before any cell, and what each cell adds, by class. */
interface EvidenceModel extends AnyModel {
    model: "bayes" | "linear" | "additive";
    start: Log[];
    terms: EvidenceTerm[];
    link?: "identity" | "logistic" | "softmax" | "exp"; // of curves
}

/** null: −∞ */
type Log = number | null;

interface AnyTerm {
    name: string;
    sizes?: number[]; // of Bayes tables: what probabilities of 0 are divided by
    average?: number[] | null; // of weights: what the column adds on average
    tried?: Cell[]; // of weights: cells that a best row may have
}

interface PlacesTerm extends AnyTerm {
    kind: "places";
    sides: { column: string; cuts: number[] | null }[];
    logs: Log[][];
}

interface SlopeTerm extends AnyTerm {
    kind: "slope";
    weights: number[];
    missing: number[];
    usual: number; // what an empty cell is taken for
}

interface TimesTerm extends AnyTerm {
    kind: "times";
    logs: Log[];
}

interface BellTerm extends AnyTerm {
    kind: "bell";
    constants: number[];
    means: number[];
    precisions: number[];
}

interface HillsTerm extends AnyTerm {
    kind: "hills";
    points: number[][];
    shares: Log[][];
    widths: number[];
}

interface WordsTerm extends AnyTerm {
    kind: "words";
    words: string[];
    logs: number[][];
    base: number[];
    once: boolean;
    reading: import("./tokens.js").Reading;
}

type EvidenceTerm = PlacesTerm | SlopeTerm | TimesTerm | BellTerm | HillsTerm | WordsTerm;

interface EnsembleModel extends AnyModel {
    model: "ensemble";
    members: Member[]; // the first of them where `left_out` says why not all
    left_out: string;
    weights: number[]; // none: 1 each
    combined_by: "mean" | "votes" | "sum";
    base: number[];
    link: "identity" | "logistic" | "softmax" | "exp";
    adds_to: number[]; // by member: the score of a sum
}

/** A model by itself; among members it comes without schema and decision, which `memberOf` adds. */
type Member = TreeModel | RuleModel | EvidenceModel;

type Model = Member | EnsembleModel;
