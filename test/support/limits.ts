import { type LimitedSubject, limitNamesOf } from '../../src/domain/limits/limit-settings.ts';
import type { ChosenLimits } from '../../src/services/limits/workspace-limits.ts';
import type { Services } from '../../src/services/services.ts';

/** Sets limits of a workspace, also beyond what its admin may. The audit has nothing of it. */
export async function setLimits(
  { limits }: Pick<Services, 'limits'>,
  workspaceId: string,
  changed: Partial<ChosenLimits>,
): Promise<void> {
  await limits.workspace.save(workspaceId, changed);
}

/** Limits on subjects that no test reaches. */
export function unlimited(...subjects: readonly LimitedSubject[]): ChosenLimits['numbers'] {
  const names = subjects.flatMap(limitNamesOf);
  return Object.fromEntries(names.map((name) => [name, name === 'codes.again' ? 0 : 1_000_000_000]));
}
