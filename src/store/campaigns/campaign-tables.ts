import type { Generated, Selectable } from 'kysely';
import type { StoredState } from './campaign-moves.ts';
import type { ChunkState } from './campaigns.ts';

/** Times are milliseconds since 1970. */
export interface CampaignTables {
  campaign: CampaignTable;
  campaign_chunk: CampaignChunkTable;
  /** The recipients of each chunk, see `writeRecipients`. */
  campaign_chunk_content: CampaignContentTable;
  /** One row for each batch of rejected rows, see `writeRejectedRows`. */
  campaign_rejected_row: CampaignContentTable;
  campaign_number: CampaignNumberTable;
  /** What became of accepted recipients, see `addToDeliveryCounts`. One row for each outcome that there was. */
  campaign_delivery: CampaignDeliveryTable;
  /** One row for each campaign of which something was reported. */
  campaign_report: CampaignReportTable;
  /** One row for each workspace that has sent a campaign, see `Pace`. */
  pace: PaceTable;
}

/** See `Campaign`. */
interface CampaignTable {
  /** What the other tables refer to. */
  sequence: Generated<number>;
  workspace_id: string;
  /** Null once it is discarded: its id may then be used again. */
  id: string | null;
  created_by: string;
  name: string;
  route: string;
  sender_id: string;
  personal: 0 | 1;
  /** How many recipients each country has, as JSON; null where they were not counted. */
  countries: string | null;
  /** How many pages go to each country, as JSON; null where they were not counted. */
  country_pages: string | null;
  /** Encrypted; null once the retention time is over. */
  text: string | null;
  /** The titles of the list's columns as JSON, encrypted; null where there are none, and with `text`. */
  columns: string | null;
  retry_of: string | null;
  state: StoredState;
  recipients: Generated<number>;
  duplicates: Generated<number>;
  suppressed: Generated<number>;
  accepted_before: Generated<number>;
  invalid: Generated<number>;
  /** `ProblemCounts` as JSON; null where they were not counted. */
  invalid_by_problem: string | null;
  pages: Generated<number>;
  fewest_pages: Generated<number>;
  most_pages: Generated<number>;
  quiet: Generated<number>;
  accepted: Generated<number>;
  rejected: Generated<number>;
  unconfirmed: Generated<number>;
  in_flight: Generated<number>;
  chunks: Generated<number>;
  channel_id: string | null;
  start_at: number | null;
  latest_start: number | null;
  zone: string | null;
  /** A `CampaignPause` as JSON. */
  pause: string | null;
  last_action_by: string | null;
  /** When its end was put into the audit. */
  audited_at: number | null;
  balance: string | null;
  balance_at: number | null;
  message_channel: string | null;
  message_ts: string | null;
  /** What the message shows, see `storeShown`. */
  message_shown: string | null;
  /** The run of the program that imports it. */
  run: string;
  /** The run that sends it, see `Lease`. */
  worker: string | null;
  lease_epoch: Generated<number>;
  /** By the database's clock. Null: as long as its worker lives. */
  lease_until: number | null;
  created_at: number;
  state_changed_at: number;
  started_at: number | null;
  ended_at: number | null;
}

/** See `KnownChunk`. */
interface CampaignChunkTable {
  campaign: number;
  number: number;
  state: ChunkState;
  recipients: number;
  pages: number;
  /** The run of the program that claimed it, while it is claimed. */
  run: string | null;
  provider_id: string | null;
  /** The id of a message that an unclear answer to it names. */
  receipt_id: string | null;
  /** An `OperationError` as JSON. */
  error: string | null;
  /** When it was claimed last; null where it never was. */
  claimed_at: number | null;
}

interface CampaignContentTable {
  campaign: number;
  number: number;
  workspace_id: string;
  /** Encrypted, and bound to the other columns. */
  value: string;
}

/** Which chunk of a campaign a number is in. */
interface CampaignNumberTable {
  hash: string;
  campaign: number;
  chunk: number;
}

interface CampaignDeliveryTable {
  campaign: number;
  /** See `outcomeOf`. */
  outcome: string;
  recipients: number;
}

interface CampaignReportTable {
  campaign: number;
  /** Counts up with each change of the counts, and of what is unconfirmed. */
  version: number;
  /** The version that the campaign's message shows. */
  shown: number;
  /** Whether its user was told that unconfirmed recipients have an outcome. */
  told: 0 | 1;
}

interface PaceTable {
  workspace_id: string;
  rate: number;
  tokens: number;
  refilled_at: number;
  back_off_until: number;
  back_offs: number;
}

export type CampaignRow = Selectable<CampaignTable>;

export type PaceRow = Selectable<PaceTable>;
