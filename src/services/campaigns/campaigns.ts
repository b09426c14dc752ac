import type { Warning } from '../../domain/messages/routes.ts';
import type { Campaign, CampaignState } from '../../store/campaigns/campaigns.ts';
import type { Operation } from '../../store/operations/ledger.ts';
import type { CampaignUser } from '../operations/ownership.ts';

/** Where the recipients of a campaign come from. */
export type RecipientSource =
  /**
   * A CSV file; `id` tells it from others of its name, and `open` begins to read it, from its start at each call. `size`
   * is in bytes, where it is known.
   */
  | { kind: 'file'; id: string; name: string; size?: number | undefined; open(): AsyncIterable<Uint8Array> }
  | { kind: 'pasted'; text: string }
  | { kind: 'phonebook'; id: string; name: string };

/** A campaign as it was filled in; what its route does not use is passed over. */
export interface CampaignForm {
  /** What people will know it by; without one, that of the file or the phonebook. */
  name?: string | undefined;
  /** May have `{{columns}}` of the file. */
  text: string;
  route: string | undefined;
  senderId?: string | undefined;
  /** On the chat route, in place of a sender ID. */
  device?: string | undefined;
}

/** What can be at fault in the form. `recipients` is wherever the person gave them. */
export type CampaignField = 'recipients' | 'text' | 'route' | 'senderId' | 'device';
export type CampaignFaults = Partial<Record<CampaignField, string>>;

export interface ImportRequest {
  workspaceId: string;
  userId: string;
  /**
   * Made from the request that opened the form, and the person's own (see `ownId`); it becomes the campaign's id, so
   * that what is submitted twice is one.
   */
  id: string;
  source: RecipientSource;
  form: CampaignForm;
  /** The column of the numbers, from 0, where the person chose another than the one found. */
  numberColumn?: number | undefined;
  /** Hears how many rows have been read. */
  onProgress?: (rows: number) => void;
}

export type CampaignImport =
  | { kind: 'ready'; preview: Preview }
  | { kind: 'faults'; faults: CampaignFaults }
  /** It was started meanwhile. */
  | { kind: 'started'; campaign: Campaign }
  | { kind: 'not_connected' };

export interface Example {
  /** Masked. */
  to: string;
  text: string;
  pages: number;
}

/** Everything to look at before a campaign goes. */
export interface Preview {
  campaign: Campaign;
  /** Where the numbers were read from; undefined: there was but one column, or no file. */
  columns?: { titles: string[]; chosen: number } | undefined;
  /** Up to three. */
  examples: Example[];
  /** About the text and the route; their `recipients` are examples alone, see `counts.quiet` for how many have quiet hours. */
  warnings: Warning[];
  /** How long its sending takes at the speed that is allowed, in milliseconds. */
  durationMs: number;
  /** The next 08:00 in Lagos, where a start now would meet quiet hours of some recipients. */
  quietUntil?: Date | undefined;
}

export interface DndSummary {
  kind: 'checked';
  checked: number;
  active: number;
  unknown: number;
  /** Whether only some of the recipients, picked at random, were checked. */
  sample: boolean;
}

export interface StartRequest {
  workspaceId: string;
  userId: string;
  id: string;
  /** The channel where its progress is shown; without one, the person's own conversation with the app. */
  channelId?: string | undefined;
  /** Without it: at once. */
  at?: { time: Date; zone: string } | undefined;
  /** How late it may start, in milliseconds, where it could not at its time; without it, whenever. */
  maxDelayMs?: number | undefined;
}

export type StartResult =
  | { kind: 'started'; campaign: Campaign; first: boolean }
  | { kind: 'gone' }
  | { kind: 'not_connected' };

/** Who asks to steer a campaign: its author may, and admins. */
export interface SteeringRequest extends CampaignUser {
  id: string;
}

export type SteeringResult =
  | { kind: 'done'; campaign: Campaign }
  /** It is past that: it ended, or was steered by someone else. */
  | { kind: 'too_late'; campaign: Campaign }
  /** There is no such campaign, or the user may not steer it. */
  | { kind: 'gone' };

export type ResultFileKind = 'rejected' | 'unconfirmed' | 'invalid' | 'not_sent';

export type TestSendResult =
  | { kind: 'performed'; operation: Operation; first: boolean }
  | { kind: 'cancelled' }
  | { kind: 'fault'; fault: string }
  | { kind: 'gone' }
  | { kind: 'not_connected' };

/** Messages to many, none of them twice: read, looked at, started, and sent chunk by chunk. */
export interface CampaignService {
  /**
   * Reads the recipients and writes them down, as a campaign that waits to be started. Throws where the id is that of
   * another person's.
   */
  importRecipients(request: ImportRequest): Promise<CampaignImport>;
  /** Of the person's own campaign that is not started yet. */
  preview(workspaceId: string, id: string, userId: string): Promise<Preview | undefined>;
  /** Asks the provider who is on Do-Not-Disturb: of a thousand recipients, all or picked at random. */
  checkDnd(
    request: { workspaceId: string; id: string; userId: string },
    options?: { progress?: (done: number, of: number) => void; signal?: AbortSignal },
  ): Promise<DndSummary | { kind: 'gone' } | { kind: 'not_connected' }>;
  /** Sends the first example to a number that the person typed, once for its key. */
  sendTest(request: {
    workspaceId: string;
    userId: string;
    id: string;
    key: string;
    number: string;
  }): Promise<TestSendResult>;
  /** Starts it, now or at its time. Once, however often this is called. */
  start(request: StartRequest): Promise<StartResult>;
  /** What is in flight ends; nothing new starts. */
  pause(request: SteeringRequest): Promise<SteeringResult>;
  resume(request: SteeringRequest): Promise<SteeringResult>;
  /** As a pause, for good. Of one that waits for its time: it will not start. */
  cancel(request: SteeringRequest): Promise<SteeringResult>;
  /**
   * Makes a new campaign, which waits to be started, of just those recipients. There is one at most for each of the two:
   * asked for again it is made anew, and once it was started it is what is given.
   */
  retry(
    request: SteeringRequest & { which: 'rejected' | 'unconfirmed' },
  ): Promise<CampaignImport | Exclude<SteeringResult, { kind: 'done' }>>;
  /** A CSV file, piece by piece; undefined: there is nothing to be in it. */
  resultFile(
    request: SteeringRequest & { which: ResultFileKind },
  ): Promise<AsyncIterable<string> | undefined>;
  /** A campaign that the user may see and steer. */
  find(user: CampaignUser, id: string): Promise<Campaign | undefined>;
  /** Any campaign, for what the program itself shows of it. What a user asks for goes through `find`. */
  findAny(workspaceId: string, id: string): Promise<Campaign | undefined>;
  /** The newest first. */
  listRecent(query: {
    workspaceId: string;
    userId?: string | undefined;
    states?: readonly CampaignState[];
    limit: number;
  }): Promise<Campaign[]>;
  /** What a message of its progress shows, besides the campaign itself. */
  throughput(campaign: Campaign): CampaignThroughput;
  /** Hears of every change of a campaign's state or counts. Gives what ends it. */
  watch(listener: (campaign: Campaign) => void): () => void;
  /** Keeps where its progress is shown. */
  setProgressMessage(campaign: Campaign, message: { channel: string; ts: string }): Promise<void>;
  /** Those whose progress is to be shown: of every workspace, scheduled, running, paused. */
  listActive(): Promise<Campaign[]>;
  /** Those of a workspace that are paused since the data was restored or copied. */
  listHeld(workspaceId: string): Promise<Campaign[]>;
  /** From now on campaigns are sent; what a stop or a crash left goes on with the next chunk. */
  startSending(): void;
  /** Claims nothing more, and resolves when what is in flight has ended and is written down. */
  stopSending(): Promise<void>;
}

export interface CampaignThroughput {
  /** Messages a second, over the last half minute. */
  messagesPerSecond: number;
  /** In milliseconds; undefined while it cannot be told. */
  remainingMs?: number | undefined;
  /** Until when nothing is sent, because the provider asked to slow down or is out of reach. */
  waitsUntil?: Date | undefined;
  /** Why it waits, or waited last. */
  lastProblem?: string | undefined;
}
