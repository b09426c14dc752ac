import { chunkAdditionalData } from '../additional-data.ts';
import type { Encryption } from '../../encryption/cipher.ts';
import type { PreparedStatement } from '../../sqlite/prepared-statement.ts';
import type { ClaimStatements, SettleAndClaim, SettledAndClaimed, SettledChunk } from './claim-statements.ts';

type Values = Readonly<Record<string, string | number | null>>;

/** Runs a statement, and gives its rows. */
export type Query = <Row>(sql: string, parameters: readonly unknown[]) => Row[];

/** See `Campaigns.turn`: all of it in one transaction, in the database's thread. Throws what SQLite throws. */
export function settleAndClaim(
  turn: SettleAndClaim,
  statements: ClaimStatements,
  { query, encryption }: { query: Query; encryption: Encryption },
): SettledAndClaimed | undefined {
  const { workspaceId, id, endings, now } = turn;

  function rowsOf<Row>(template: PreparedStatement<Row>, values: Values): Row[] {
    const parameters = template.parameters.map((parameter) =>
      'slot' in parameter ? values[parameter.slot] : parameter.value,
    );
    return query(template.sql, parameters);
  }

  function end(campaign: number): Record<SettledChunk['state'], number> {
    const ended = { accepted: 0, rejected: 0, unconfirmed: 0 };
    for (const { number, state, providerId = null, error } of endings) {
      const reason = error === undefined ? null : JSON.stringify(error);
      const values = { campaign, number, state, providerId, error: reason, run: turn.run };
      for (const { recipients } of rowsOf(statements.end, values)) {
        ended[state] += recipients;
      }
    }
    return ended;
  }

  const [found] = rowsOf(statements.find, { workspaceId, id });
  if (found === undefined) {
    return undefined;
  }
  const campaign = found.sequence;
  const ended = end(campaign);
  const claims = found.state === 'running' && turn.count > 0;
  const claimed = claims ? rowsOf(statements.claim, { campaign, run: turn.run, count: turn.count }) : [];
  const settled = ended.accepted + ended.rejected + ended.unconfirmed;
  const begun = claimed.reduce((sum, { recipients }) => sum + recipients, 0);
  const balance = endings.findLast((ending) => ending.balance !== undefined)?.balance ?? null;
  const inFlight = begun - settled;
  const [row] = rowsOf(statements.count, { ...ended, campaign, settled, inFlight, now, balance });
  return (
    row && {
      campaign: row,
      claimed: claimed
        .sort((one, other) => one.number - other.number)
        .map(({ number, pages, value }) => ({
          number,
          pages,
          content: encryption.decrypt(value ?? '', chunkAdditionalData(workspaceId, campaign, number)),
        })),
    }
  );
}
