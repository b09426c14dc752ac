import assert from 'node:assert/strict';
import { request } from 'undici';
import { z } from 'zod';
import type { ProviderFault } from '../../../sandbox/provider/faults/faults.ts';
import { seededRandom } from '../../../sandbox/provider/webhook/plan-reports.ts';
import type { WebhookPost } from '../../../sandbox/provider/webhook/post-webhook.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import type { TestHooks } from '../../support/app/app-process.ts';
import { asSeen } from '../../support/campaign-harness.ts';
import type { DatabaseName } from '../../support/store/databases.ts';
import { type ReportingWorkspace, type ReportsHarness, startReports, userId } from './reports-harness.ts';

/** A message that somebody sent, and what they were told at first. */
export interface SentMessage {
  workspace: ReportingWorkspace;
  /** Of its operation. */
  id: string;
  number: PhoneNumber;
  text: string;
  toldAtFirst: string;
}

export interface Play {
  harness: ReportsHarness;
  sent: readonly SentMessage[];
  /** Of the campaign. */
  recipients: readonly string[];
  /** Requests with reports, by the status of their answer. */
  answers: ReadonlyMap<number, number>;
  /** Genuine reports that were taken. */
  taken: readonly TakenPost[];
}

/** A request with reports that a workspace took. */
export interface TakenPost {
  workspaceId: string;
  post: WebhookPost;
}

export interface PlayOptions {
  sends: number;
  seed: number;
  database?: DatabaseName | undefined;
  /** Told how far it is. */
  say?: (line: string) => void;
}

const together = 8;
const lossRate = 0.05;
/** The share of messages whose sender, number and text are those of an earlier one, of their workspace or of another one. */
const againRate = 0.1;
/** The share of messages whose reports come after a restart only. */
const lateShare = 0.15;
const rates = { lossRate: 0.02, duplicateRate: 0.2, reorderRate: 0.2, forgeryRate: 0.1 };
/** How an answer is lost: most often after the message was taken. */
const losses: readonly ProviderFault[] = [
  { kind: 'cut_after' },
  { kind: 'cut_body' },
  { kind: 'malformed_json' },
  { kind: 'cut_before' },
];

const reportSchema = z.looseObject({ message_id: z.string() });

/**
 * Three workspaces send messages and a campaign by a provider that loses a share of its answers, whose reports come twice, in
 * another order, forged, not at all, or after a restart, again later, and at the address of another workspace. Two have one
 * account: its reports come to the first of them, and after the restart to the second.
 */
export async function playReports(
  test: TestHooks,
  { sends, seed, database, say = () => {} }: PlayOptions,
): Promise<Play> {
  const random = seededRandom(seed);
  const harness = await startReports(test, { connections: together, database });
  const { provider, workspaces } = harness;
  const answers = new Map<number, number>();
  const sent: SentMessage[] = [];
  const taken: TakenPost[] = [];
  const [first, second, third] = workspaces;
  assert.ok(first && second && third);
  const ofAddress = new Map<string, string>();

  async function enterWebhooks(reporting: readonly ReportingWorkspace[], held: boolean): Promise<void> {
    for (const { id, key } of reporting) {
      const url = await harness.addressOf(id);
      ofAddress.set(url, id);
      provider.webhook.set({ ...rates, url, held, delayMs: 0, seed }, key);
    }
  }

  async function sendOne(index: number): Promise<void> {
    const again = random() < againRate ? sent[Math.floor(random() * sent.length)] : undefined;
    const mayBe = workspaces.filter(
      ({ senderId }) => again === undefined || senderId === again.workspace.senderId,
    );
    const workspace = mayBe[Math.floor(random() * mayBe.length)];
    assert.ok(workspace);
    // Few numbers, so that each gets several messages; none ends in 7, which means Do-Not-Disturb.
    const digits = String(Math.floor(random() * (sends / 40))).padStart(6, '0');
    const number = again?.number ?? phoneNumberSchema.parse(`+234803${digits}1`);
    const text = again?.text ?? `Your order ${index} is on its way`;
    if (random() < lossRate) {
      const fault = losses[Math.floor(random() ** 2 * losses.length)] ?? { kind: 'cut_after' };
      provider.orderFault({ operation: 'messages.send', fault });
    }
    const draftId = `draft-${index}`;
    const { messages } = harness.services;
    const { version } = await messages.save(workspace.id, draftId, userId, {
      recipients: [number],
      senderId: workspace.senderId,
      route: 'dnd',
      text,
    });
    const result = await messages.send({ workspaceId: workspace.id, userId, draftId, version, seen: {} });
    assert.ok(result.kind === 'performed', JSON.stringify(result));
    const { id, state } = result.operation;
    sent.push({ workspace, id, number, text, toldAtFirst: state });
  }

  let next = 0;
  async function sendUpTo(end: number): Promise<void> {
    const one = async () => {
      while (next < end) {
        next += 1;
        const index = next;
        await sendOne(index);
        if (index % 5_000 === 0) {
          say(`${index} of ${sends} sent`);
        }
      }
    };
    await Promise.all(Array.from({ length: together }, one));
  }

  /** Posts what was posted before, to the same address or another one. */
  async function post({ id }: ReportingWorkspace, again: WebhookPost): Promise<void> {
    const { headers, text: body } = again;
    const answer = await request(await harness.addressOf(id), { method: 'POST', headers, body });
    await answer.body.dump();
    answers.set(answer.statusCode, (answers.get(answer.statusCode) ?? 0) + 1);
    taken.push(...(answer.statusCode === 200 ? [{ workspaceId: id, post: again }] : []));
  }

  const late = Math.floor(sends * lateShare);
  await enterWebhooks([first, third], false);
  await sendUpTo(Math.floor((sends - late) / 2));
  const recipients = await sendCampaign(harness, Math.max(200, Math.floor(sends / 20)));
  await harness.follow();
  await sendUpTo(sends - late);
  await provider.webhook.settled();
  await enterWebhooks([first, third], true);
  await sendUpTo(sends);
  await harness.follow();
  say('restart');
  await harness.restart();
  await enterWebhooks([second, third], true);
  await provider.webhook.deliver();
  await harness.follow();

  const genuine = provider.webhook.posts.filter((each) => each.genuine && each.outcome === 200);
  for (const each of genuine) {
    taken.push({ workspaceId: ofAddress.get(each.url) ?? assert.fail(each.url), post: each });
  }
  for (let count = 0; count < Math.min(500, sends / 4); count += 1) {
    const again = genuine[Math.floor(random() * genuine.length)];
    assert.ok(again);
    for (const workspace of workspaces) {
      await post(workspace, again);
    }
    const other = again.account === third.key ? first : third;
    // Rightly signed by the other account, of a message that is not its own.
    const stolen = reportSchema.parse(JSON.parse(again.text));
    await provider.webhook.send(z.record(z.string(), z.json()).parse(stolen), { key: other.key });
  }
  await harness.follow();
  for (const { outcome } of provider.webhook.posts) {
    if (typeof outcome === 'number') {
      answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
    }
  }
  return { harness, sent, recipients, answers, taken };
}

export const campaignId = 'sale';

async function sendCampaign(
  { services, provider, workspaces }: ReportsHarness,
  recipients: number,
): Promise<string[]> {
  const [workspace] = workspaces;
  assert.ok(workspace);
  const numbers = Array.from(
    { length: recipients },
    (_, index) => `+234802${String(index).padStart(6, '0')}1`,
  );
  const workspaceId = workspace.id;
  const reading = await services.campaigns.importRecipients({
    workspaceId,
    userId,
    id: campaignId,
    source: { kind: 'pasted', text: numbers.join('\n') },
    form: { text: 'Everything must go', route: 'dnd', senderId: workspace.senderId },
  });
  assert.equal(reading.kind, 'ready', JSON.stringify(reading));
  provider.orderFault({ operation: 'messages.sendBulk', fault: { kind: 'cut_after' } });
  const over = Promise.withResolvers<void>();
  const steering = { workspaceId, userId, id: campaignId, isAdmin: true };
  const unwatch = services.campaigns.watch(() => {
    void services.campaigns.find(steering, campaignId).then((campaign) => {
      if (campaign !== undefined && ['done', 'paused'].includes(campaign.state)) {
        over.resolve();
      }
    }, over.reject);
  });
  await services.campaigns.start(await asSeen(services.campaigns, { workspaceId, userId, id: campaignId }));
  services.campaigns.startSending();
  await over.promise;
  unwatch();
  return numbers;
}
