import { z } from 'zod';
import type { ProviderError } from '../../provider/errors.ts';
import type { Context } from '../context.ts';
import { askAccount } from '../operations/outcomes.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';

/** The balance as the provider named it when it was asked. Times are milliseconds since 1970. */
const checkedBalanceSchema = z.object({
  amount: z.string(),
  /** When it was asked, and when it answered. */
  from: z.number(),
  to: z.number(),
});
export type CheckedBalance = z.infer<typeof checkedBalanceSchema>;

export type BalanceCheck =
  | { kind: 'checked' }
  | { kind: 'not_connected' }
  | { kind: 'failed'; error: ProviderError };

/** In milliseconds: how long an answer is not asked for again. */
const freshMs = 5_000;
/** In milliseconds: as long as other figures are used. */
const ttlMs = 90 * 24 * 60 * 60_000;
const key = 'checked';

export type BalanceChecks = ReturnType<typeof createBalanceChecks>;

/** Asks the provider for the balance, an operation beyond the description. */
export function createBalanceChecks(
  { store: { keyv, updateValue }, dialect, time: { now: clock } }: Context,
  { workspaces }: { workspaces: Workspaces },
) {
  /** Returns the last answer to a question that was asked under the key that is connected. */
  async function last(workspaceId: string): Promise<CheckedBalance | undefined> {
    const [connection, value] = await Promise.all([
      workspaces.connection(workspaceId),
      keyv(workspaceId, 'balance').get<unknown>(key),
    ]);
    const checked = checkedBalanceSchema.optional().parse(value);
    // One that was asked under the key before may be another account's.
    return connection === undefined || checked === undefined || checked.from < connection.at.getTime()
      ? undefined
      : checked;
  }

  return {
    /** Whether the provider's profile names the path of the operation. Without it, `check` fails. */
    areOn: dialect.balancePath !== undefined,
    last,

    /** Asks, and stores the answer. Where the last one came just now, that is the answer. */
    async check(workspaceId: string): Promise<BalanceCheck> {
      const from = clock().getTime();
      const known = await last(workspaceId);
      if (known !== undefined && Math.abs(from - known.to) < freshMs) {
        return { kind: 'checked' };
      }
      const answer = await askAccount(workspaces, workspaceId, ({ balance }) => balance.get());
      if (answer.kind !== 'answered') {
        return answer;
      }
      const checked: CheckedBalance = { amount: answer.value.amount, from, to: clock().getTime() };
      await updateValue({ workspaceId, area: 'balance', key }, (value) => {
        const other = checkedBalanceSchema.safeParse(value).data;
        return other !== undefined && other.from > from ? 'keep' : { set: checked, ttl: ttlMs };
      });
      return { kind: 'checked' };
    },
  };
}
