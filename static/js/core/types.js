/**
 * What the server sends, as docs/http-api.md describes it.
 *
 * @typedef {{id: number, text: string, special: boolean, unknown: boolean, pad: boolean}} Token
 * @typedef {{model: string, src: string[], tgt?: string[], prefix?: number[][], rows?: number[], options?: Record<string, any>, seed?: number}} Recipe
 * @typedef {{min: number|string|null, max: number|string|null, mean: number|string|null, std: number|string|null, finite: number, zero: number, nan: number,
 *   positive_infinity: number, negative_infinity: number}} Summary
 * @typedef {{name: string, axes: string[], over: string[], shape: number[], dtype: string, reads: string[], summary: Summary}} Record_
 * @typedef {{id: string, model: string, recipe: Recipe, bytes: number, tokens: {src: Token[][], tgt: Token[][], labels: Token[][] | null},
 *   notices: string[], sizes: Record<string, number>, records: Record_[]}} Trace
 *
 * @typedef {{name: string, block: string, axes: string[], over: string[], kind: string, formula: string, says: string, reads: string[], feeds: string[],
 *   parameter: boolean, shape?: number[], shared_with?: string[]}} Tensor
 * @typedef {{name: string, kind: string, title: string, says: string, mixes: boolean, inputs: Record<string, string>, tensors: string[], parts: Part[]}} Part
 * @typedef {{title: string, src: string[], tgt: string[]}} Example
 * @typedef {{name: string, choices: any[], value: any, says: string, structural: boolean}} Option
 * @typedef {{id: string, title: string, says: string, trained: boolean, unit: string, seed: number, config: Record<string, any>, options: Option[],
 *   sizes: Record<string, number>, ranges: Size[], axes: Record<string, {title: string, says: string}>, vocabulary: string[] | null, specials: string[], examples: Example[],
 *   decode_steps: number, card: Record<string, any> | null, tensors: Tensor[], formulas: Record<string, string>, tree: Part,
 *   parameters: Parameters_, paper: Paper | null}} Model
 *
 * What is learned. `parts` has the sum of every part; a shared table counts under its first name alone.
 * @typedef {{total: number, embeddings: number, without_embeddings: number, blocks: {name: string, count: number, formula: string}[], parts: Record<string, number>,
 *   each: {name: string, count: number, formula: string, share: number, shared_with: string[]}[]}} Parameters_
 * @typedef {{name: string, axis: string | null, value: number, least: number, most: number, stops: number[], fixed: boolean}} Size
 * @typedef {{name: string, printed: number, counted: number, difference: number, rows: [number, number]}} Counted
 * @typedef {{title: string, count: number, says: string}} Item
 * @typedef {Counted & {items: Item[], otherwise: Item[], vocabulary: number, beside: Counted & {options: Record<string, number>}}} Paper
 *
 * @typedef {{id: string, title: string, says: string, trained: boolean, parameters: number, sizes: Record<string, number>, n_layers: number, max_length: number, unit: string, too_large: string | null}} ModelSummary
 *
 * @typedef {{token: Token, logit: number, log_prob: number, probability: number, tempered?: number | string | null, cut?: "top_k" | "top_p" | null, chance?: number | null}} Candidate
 * @typedef {{sentence: number, node: number, prefix: Token[], chosen: Token | null, log_prob: number, probability: number, total: number, margin: number, tied: number, draw: number | null,
 *   top: Candidate[], text: string, done: boolean,
 *   reason: null | "end" | "length"}} Row
 * @typedef {{step: number, finished: boolean, trace: string, recipe: Recipe, rows: Row[], nodes: TreeNode[]}} Step
 * @typedef {{id: string, model: string, recipe: object, max_steps: number, strategy: {kind: string} & Record<string, any>, cache: boolean,
 *   tokens: {src: Token[][]}, notices: string[]}} Decoding
 * @typedef {{kind: string, title: string, says: string, rule: string, settings: {name: string, title: string, says: string, value: number}[]}} Strategy
 *
 * A hypothesis of a decoding, all of them, and what was written in the end. `divisors` are the length penalty's, for 0, 1, 2, … tokens.
 * @typedef {{id: number, parent: number | null, sentence: number, step: number, row: number, token: Token, log_prob: number, total: number, score: number, length: number,
 *   fate: "live" | "passed" | "died" | "end" | "length" | "dropped"}} TreeNode
 * @typedef {{steps: number, finished: boolean, strategy: Record<string, any>, rule: string, divisors: number[] | null, nodes: TreeNode[], best: number[], traces: string[]}} Tree
 * @typedef {{token: Token, log_prob: number, probability: number, trace: string, row: number}} Written
 * @typedef {{text: string, written: Written[], total: number, score: number, length: number, reason: "end" | "length" | null, node: number, trace: string | null, row: number}} WrittenSentence
 * @typedef {{steps: number, strategy: Record<string, any>, sentences: WrittenSentence[]}} Result
 *
 * @typedef {{code: string, message: string, where: string, status: number}} Problem
 *
 * A tensor's values as they arrive: `axes`, `shape` of what is here; `start` and `step` say which cells of the whole these are, and
 * `full` is the whole tensor's shape on these axes.
 * @typedef {{name: string, axes: string[], over: string[], shape: number[], start: number[], step: number[], full: number[],
 *   values: Float32Array | Uint8Array | BigInt64Array}} Values
 *
 * How one cell came to be. A Cell_ is a number, an id, a mask's true or false, or "NaN", "Infinity", "-Infinity".
 * @typedef {number | boolean | string} Cell_
 * @typedef {{name: string, of: "value" | "gradient", role: string, cell: (number | null)[], takes: (number | null)[], size: number, first: number, shown: number}} Operand
 * @typedef {{name: string, cell: number[], value: Cell_, text?: string | null}} Term
 * @typedef {{title: string, values: Cell_[], total: Cell_ | null, running: boolean}} Column
 * @typedef {string | {value: Cell_, operand: number | null}} EquationPart
 * @typedef {{title: string, parts: EquationPart[], value: Cell_}} Equation
 * @typedef {{name: string, of: "value" | "gradient", cell: number[], axes: string[], over: string[], value: Cell_, text: string | null, step: string, leaf: boolean, rule: string | null, says: string,
 *   result: Cell_ | null, difference: Cell_ | null, operands: Operand[], along: {axis: string, over: string} | null, count: number, places: number[], terms: Term[],
 *   columns: Column[], rest: {count: number, totals: (Cell_ | null)[]} | null, equations: Equation[], because: {name: string, of?: "value" | "gradient", cell: number[], says: string}[],
 *   then: {name: string, cell: number[], value: Cell_, kind: string}[]}} Explanation
 */

export {};
