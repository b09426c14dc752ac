import type { AuditProblem } from '../../store/audit/verify-audit.ts';

const problemTexts: Readonly<Record<AuditProblem['kind'], string>> = {
  changed: 'was changed',
  moved: 'stands in another place',
  inserted: 'was inserted',
  missing: 'is missing',
  cut_off: 'was cut off at the end',
  found_before: 'says that where the audit ends had been changed when it was written',
  ends_changed: 'the record of where its entries begin and end was changed',
  ends_missing: 'the record of where its entries begin and end is missing',
  chain_unknown: 'is not in the register of workspaces',
  register_changed: 'the register of workspaces was changed',
  key_missing: 'the key is missing, so nothing can be checked',
  key_unreadable: 'the key was changed, so nothing can be checked',
};

/** Returns what is not as it was written, to follow the name of the workspace and a colon. */
export function describeProblem({ kind, from, to, was }: AuditProblem): string {
  const text = problemTexts[kind];
  if (from === undefined) {
    return text;
  }
  const entries = to === undefined || to === from ? `entry ${from}` : `entries ${from} to ${to}`;
  return `${entries} ${text}${was === undefined ? '' : `: it was entry ${was}`}`;
}
