import type { Generated } from 'kysely';
import type { CampaignState, ChunkState } from './campaigns/campaigns.ts';
import type { NoticeSubject } from './outbox/outbox.ts';

/** One encrypted value. Its ciphertext is bound to the other columns of its row. */
interface KeyvTable {
  workspace_id: string;
  area: string;
  key: string;
  value: string;
  /** Milliseconds since 1970; null: never. */
  expires: number | null;
}

/** See `Operation` in ledger.ts. Times are milliseconds since 1970; `summary` and `error` are JSON. */
interface OperationTable {
  id: string;
  workspace_id: string;
  key: string;
  kind: string;
  user_id: string;
  channel_id: string | null;
  summary: string;
  state: 'underway' | 'accepted' | 'rejected' | 'not_sent' | 'unconfirmed';
  provider_id: string | null;
  pages: number | null;
  balance: string | null;
  error: string | null;
  /** The run of the program that performs it. */
  run: string;
  created_at: number;
  ended_at: number | null;
}

/** Each encryption key that data may lie under, with a value to try it on. Holds no key. */
interface EncryptionKeyTable {
  id: string;
  canary: string;
}

/** See `Campaign` in campaigns.ts. Times are milliseconds since 1970; `pause` is JSON. */
interface CampaignTable {
  /** What the other tables know it by. */
  sequence: Generated<number>;
  workspace_id: string;
  /** Null once it is discarded: its id may then be used again. */
  id: string | null;
  created_by: string;
  name: string;
  route: string;
  sender_id: string;
  personal: 0 | 1;
  /** Encrypted; null once the retention time is over. */
  text: string | null;
  retry_of: string | null;
  /** `discarded`: nobody sees it any more, and its recipients are still to be deleted. */
  state: CampaignState | 'discarded';
  recipients: Generated<number>;
  duplicates: Generated<number>;
  suppressed: Generated<number>;
  invalid: Generated<number>;
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
  pause: string | null;
  last_action_by: string | null;
  balance: string | null;
  message_channel: string | null;
  message_ts: string | null;
  /** The run of the program that reads it. */
  run: string;
  created_at: number;
  /** When its state last changed. */
  state_changed_at: number;
  started_at: number | null;
  ended_at: number | null;
}

/** What became of a chunk of a campaign. */
interface CampaignChunkTable {
  campaign: number;
  number: number;
  state: ChunkState;
  recipients: number;
  pages: number;
  /** The run of the program that claimed it, while it is claimed. */
  run: string | null;
  provider_id: string | null;
  /** JSON. */
  error: string | null;
}

/** Something encrypted that belongs to a campaign. Its ciphertext is bound to the other columns. */
interface CampaignContentTable {
  campaign: number;
  number: number;
  workspace_id: string;
  value: string;
}

/** Which chunk of a campaign a number is in. */
interface CampaignNumberTable {
  hash: string;
  campaign: number;
  chunk: number;
}

interface OperationNumberTable {
  hash: string;
  operation_id: string;
  created_at: number;
}

interface DoNotContactTable {
  workspace_id: string;
  hash: string;
  /** Encrypted. */
  number: string;
  created_by: string;
  created_at: number;
}

/** What a workspace's numbers are hashed with. */
interface NumberKeyTable {
  workspace_id: string;
  /** Encrypted. */
  key: string;
}

/** See `Notice` in outbox.ts. A row goes once it is delivered. */
interface OutboxTable {
  workspace_id: string;
  subject: NoticeSubject;
  subject_id: string;
  user_id: string;
  channel_id: string | null;
  channel_error: string | null;
  repeated: Generated<0 | 1>;
  title: string | null;
  attempts: Generated<number>;
  /** Milliseconds since 1970. */
  next_attempt_at: number;
}

/** See `KnownTime` in time.ts. It has one row. */
interface KnownTimeTable {
  id: number;
  wall: number;
  uptime: number;
  start_from: number;
  delete_from: number;
}

/** One row, whose `id` is 1: whose data this is, see installation.ts. Times are milliseconds since 1970. */
interface InstallationTable {
  id: number;
  epoch: string;
  /** Transactions that wrote something. */
  writes: number;
  /** The files that belong to this row, see `identityOf`. */
  mark_file: string;
  database_file: string;
  /** See `Machine`. Null: not known. */
  machine: string | null;
  boot: string | null;
  /** When it was last noticed that the data had been restored or copied. */
  restored_at: number | null;
  /** When the notices of that were put into the outbox. */
  notified_at: number | null;
}

export interface Schema {
  keyv: KeyvTable;
  operation: OperationTable;
  campaign: CampaignTable;
  campaign_chunk: CampaignChunkTable;
  campaign_chunk_content: CampaignContentTable;
  campaign_rejected_row: CampaignContentTable;
  campaign_number: CampaignNumberTable;
  operation_number: OperationNumberTable;
  suppression: DoNotContactTable;
  number_key: NumberKeyTable;
  outbox: OutboxTable;
  encryption_key: EncryptionKeyTable;
  known_time: KnownTimeTable;
  installation: InstallationTable;
}
