/** One row of the table of speed: what was measured, and what it was held against. */
export interface Row {
  /** What was measured, with its unit and its conditions, such as “Campaign recipients a second, provider after 20 ms”. */
  measure: string;
  database: 'SQLite' | 'PostgreSQL' | '–';
  /** Switchboard's figure, with its unit. */
  ours: string;
  /** The figure it is held against, with its unit; “–” where the target is absolute. */
  rival: string;
  /** Ours over the rival's; undefined where the target is absolute. */
  ratio: number | undefined;
  /** The target in words, such as “≥ 0.85”. */
  target: string;
  /** Undefined where it could not be measured here, so that nothing is claimed. */
  reached: boolean | undefined;
}
