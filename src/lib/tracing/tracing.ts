/** A step of the program's work in a trace. Its name and attributes never have a phone number or a text. */
export interface Step {
  name: string;
  /** `server`: somebody asked for it. `client`: it asks another program. */
  kind: 'server' | 'client' | 'internal';
  attributes?: StepAttributes | undefined;
  /** Whether it begins a trace of its own, whatever caused it. */
  isRoot?: boolean | undefined;
}

export type StepAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** What is known of a step only later. */
export interface OpenStep {
  set(attributes: StepAttributes): void;
}

export interface Tracer {
  /** Calls `work`; the step ends when what it returns has settled. */
  trace<Result>(step: Step, work: (open: OpenStep) => Promise<Result>): Promise<Result>;
}

const closed: OpenStep = { set() {} };
let tracer: Tracer | undefined;

/** From now on every step is traced. Called once, where traces are on. */
export function traceWith(newTracer: Tracer): void {
  tracer = newTracer;
}

/** Calls `work` as a step within the current one. Without a tracer this only calls it. */
export function traced<Result>(step: Step, work: (open: OpenStep) => Promise<Result>): Promise<Result> {
  return tracer === undefined ? work(closed) : tracer.trace(step, work);
}
