import { sql } from 'kysely';
import { walkColumn } from '../encryption/walk-column.ts';
import { forwardRequestColumn, parseRequest } from '../report-forwards/forward-rows.ts';
import { removeForwards } from '../report-forwards/remove-forwards.ts';
import { inTransaction } from '../transaction.ts';
import type { ErasureContext } from './erasure-context.ts';

/** Requests with reports that name the person are not passed on: their signature allows no change of them. */
export async function eraseFromReportForwards(context: ErasureContext): Promise<void> {
  const { db, encryption, person, clock, signal } = context;
  const isWanted = ({ workspaceId }: { workspaceId: string }) => person.hashers.has(workspaceId);
  for await (const value of walkColumn(db, encryption, forwardRequestColumn, { isWanted, signal })) {
    const { workspaceId, key } = value;
    const text = Buffer.from(parseRequest(value.text).body).toString('utf8');
    if (person.mentions.areIn(text) || person.mentions.areIn(unescaped(text))) {
      await inTransaction(db, (transaction) =>
        removeForwards(
          transaction,
          workspaceId,
          (eb) => eb('id', '=', String(key[1])),
          'dropped',
          () => sql<number>`${clock().getTime()}`,
        ),
      );
    }
  }
}

/** A digit may be written as `\u0030`. */
function unescaped(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
