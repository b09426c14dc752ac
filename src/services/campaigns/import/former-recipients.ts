import { nameColumns, type RecipientRow, type RecipientTable } from '../../../domain/csv/recipient-rows.ts';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign, ChunkState } from '../../../store/campaigns/campaigns.ts';

/** Recipients of a campaign that has ended, by their state: each such rest is sent to by at most one other campaign. */
export const restKinds = ['not_sent', 'rejected', 'unconfirmed'] as const;
export type RestKind = (typeof restKinds)[number];

/** Recipients of another campaign as the source of a new one; `all`: of a draft, which the new one replaces. */
export interface FormerRecipients {
  kind: 'former';
  campaign: Campaign;
  which: RestKind | 'all';
}

const chunkStates = {
  not_sent: 'waiting',
  rejected: 'rejected',
  unconfirmed: 'unconfirmed',
  all: 'waiting',
} as const satisfies Record<FormerRecipients['which'], ChunkState>;

/** Returns how many recipients there are; undefined where the campaign may still send to them itself. */
export function countFormer({ campaign, which }: Omit<FormerRecipients, 'kind'>): number | undefined {
  const { state, counts, text, endedAt } = campaign;
  if (which === 'all') {
    return state === 'ready' ? counts.recipients : undefined;
  }
  if (text === undefined || endedAt === undefined || (state !== 'done' && state !== 'cancelled')) {
    return undefined;
  }
  return which === 'not_sent'
    ? counts.recipients - counts.accepted - counts.rejected - counts.unconfirmed
    : counts[which];
}

/** Derived from the campaign's id, so that however often a rest is asked for, nobody is sent to twice. */
export function restId(id: string, which: RestKind): string {
  return `${id}.${which}`;
}

/** Returns which rest of its former campaign a campaign goes to. */
export function restOf({ id, retryOf }: Pick<Campaign, 'id' | 'retryOf'>): RestKind | undefined {
  return retryOf === undefined ? undefined : restKinds.find((which) => restId(retryOf, which) === id);
}

const suffixes: Record<RestKind, string> = {
  not_sent: '(rest)',
  rejected: '(retry: rejected)',
  unconfirmed: '(retry: unconfirmed)',
};

/** The rest of a rest is named after the first campaign. */
export function restName(name: string, which: RestKind): string {
  const first = Object.values(suffixes).find((suffix) => name.endsWith(` ${suffix}`));
  const base = first === undefined ? name : name.slice(0, -first.length - 1);
  return `${base} ${suffixes[which]}`;
}

/** The recipients as a table with the columns of the file that they came from. */
export function openFormer(source: FormerRecipients, campaigns: CampaignRepository): RecipientTable {
  const { columns } = source.campaign;
  return {
    columns: columns === undefined ? [] : nameColumns(columns),
    number: { index: 0 },
    isList: columns === undefined,
    rows: rowsOf(source, campaigns),
  };
}

async function* rowsOf(
  { campaign, which }: FormerRecipients,
  campaigns: CampaignRepository,
): AsyncGenerator<RecipientRow> {
  const { workspaceId, id } = campaign;
  const indexes = new Map(nameColumns(campaign.columns ?? []).map(({ name }, index) => [name, index]));
  const recipient = (line: number, to: string, cells: readonly string[]) => ({
    kind: 'recipient' as const,
    line,
    number: phoneNumberSchema.parse(to),
    cells,
    value: (column: string) => cells[indexes.get(column) ?? -1] ?? '',
  });
  let line = 0;
  for await (const { to, cells } of campaigns.chunks(workspaceId, id, [chunkStates[which]])) {
    for (const [index, number] of to.entries()) {
      line += 1;
      yield recipient(line, number, cells?.[index] ?? []);
    }
  }
  if (which !== 'all') {
    return;
  }
  for await (const row of campaigns.rejectedRows(workspaceId, id)) {
    // A row whose number can be used was rejected for its text, which may be another one now.
    const { text, cells, problem = 'not_a_number' } = row;
    const isUsable = cells !== undefined && phoneNumberSchema.safeParse(text).success;
    yield isUsable ? recipient(row.line, text, cells) : { kind: 'invalid', ...row, problem };
  }
}
