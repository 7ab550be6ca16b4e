/**
 * What the server sends of trainings, as docs/http-api.md describes it.
 *
 * @typedef {number | string | null} Number_   not finite: "NaN", "Infinity", "-Infinity"
 * @typedef {{id: string, title: string, data: string, rules: string, unit: string | null, examples: {src: string, tgt: string}[], steps: number, batch: number, rate: number,
 *   options: Record<string, number | boolean | string>}} Task
 * @typedef {{tasks: Task[], schedules: string[]}} Tasks
 * @typedef {{untrained: number, floor: number}} Levels
 * @typedef {{title: string, steps: number, batch: number, parameters: number, operations: number, seconds: number, bytes: number, vocab_size: number, max_length: number,
 *   held_out: Record<string, number>, data: string, notices: string[], levels: Levels}} Plan
 * @typedef {"queued" | "starting" | "running" | "paused" | "scoring" | "interrupted" | "stopped" | "finished" | "diverged" | "failed" | "loaded"} RunState
 * @typedef {{step: number, model: string}} Kept
 * @typedef {{src: string, tgt: string, written: string | null, right: boolean}} Sample
 * @typedef {{step: number, loss: Number_, accuracy: number, samples: Sample[]}} Evaluation
 * @typedef {{score: number | null, signature: string, why: string}} Measure
 * @typedef {{sentences: number, exact: number, endless: number, tokens: {right: number, total: number}, bleu: Measure, chrf: Measure}} Test
 * @typedef {{step: number, tensor: string, cell: number[], value: string, gradient: boolean, says: string}} Broken
 * @typedef {{id: string, name: string, created: number | null, state: RunState, place: number | null, yours: boolean, owned: boolean, message: string, task: string | null, recipe: Record<string, any> | null, step: number, steps: number,
 *   loss: Number_, rate: Number_, norm: Number_, steps_per_second: Number_, seconds: Number_, seconds_left: number | null, batch: number | null, parameters: number | null,
 *   operations: number | null, data: string | null, rules: string | null, notices: string[], model: string | null, levels: Levels | null, checkpoints: Kept[],
 *   evaluation: Evaluation | null, diverged: Broken | null, scores: Record<string, Test> | null}} Run
 *
 * @typedef {{step: number, loss: number, rate: number, norm: number}} Point
 * @typedef {{step: number, held_out_loss: Number_, accuracy: number}} Look
 * @typedef {{points: Point[], looks: Look[]}} Log
 */

export {};
