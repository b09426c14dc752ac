import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '../../../src/store/operations/operation.ts';
import { type SlackUser, slackUserAt, wordsOf } from '../../support/slack/slack-user.ts';
import { workspaceId } from '../kills/crash-harness.ts';
import type { Cluster } from './cluster-harness.ts';

/** A person who sends message after message, and clicks again where nothing seems to happen. */
export interface Clicks {
  readonly sent: number;
  /** Clicks of which nothing was written down, as the instance was killed at that moment. */
  readonly unanswered: number;
  /** How often something was told that its person may have been told already. */
  readonly toldAgain: number;
  /** Resolves when the last message has its outcome. */
  stop(): Promise<void>;
  /** Asserts that each message was sent once at most, has one outcome, and was told once. */
  assertWhole(): void;
}

const attempts = 12;
/** Longer than any instance is stopped, where the machine has time for it. */
const answerWithinMs = 15_000;

/** Repeats what may have met an instance that is gone, as a person does. */
async function insist<Result>(act: () => Promise<Result | undefined>, what: string): Promise<Result> {
  let last: unknown;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      const done = await act();
      if (done !== undefined) {
        return done;
      }
    } catch (error) {
      last = error;
    }
    await pause(200);
  }
  throw new Error(`In vain: ${what}`, { cause: last });
}

function isTitled(user: SlackUser, title: string): boolean {
  return JSON.stringify(user.modal()?.view.title ?? '').includes(title);
}

async function closeAll(user: SlackUser): Promise<void> {
  while (user.modal() !== undefined) {
    await user.closes();
  }
}

async function openReview(user: SlackUser, to: string, text: string): Promise<void> {
  await insist(async () => {
    await closeAll(user);
    await user.types('/sms');
    await user.seesModal('New message');
    await user.fills('To', to);
    await user.fills('Route', 'Transactional (DND)');
    await user.fills('Sender ID', 'PalmMarket');
    await user.fills('Message', text);
    await user.submits();
    return user.seesModal('Message review');
  }, 'to review a message');
}

/** What a notice says that may have been there before. */
export const mayBeRepeated = 'You may have this message already';
/** Each message goes to a number of its own. */
const numberOf = (message: number): string => `+234805${String(10_000 + 10 * message).padStart(7, '0')}`;
/** As the outcome shows it. */
const shownNumber = (message: number): string =>
  numberOf(message).replace(/^\+(\d{3})(\d{3})(\d{3})(\d{4})$/, '+$1 $2 $3 $4');

export function startClicks({ slack, provider, store }: Cluster, pick: (count: number) => number): Clicks {
  const user = slackUserAt(slack, 'U0ADMIN', { patience: 4_000 });
  const texts: string[] = [];
  let stopping = false;
  const outcomes: { text: string; taken: number; states: string[]; told: string[] }[] = [];

  async function sendOne(): Promise<void> {
    const text = `Message number ${texts.length + 1}.`;
    const to = numberOf(texts.length);
    // Each has a text of its own: what seems to be lost may still be sent.
    texts.push(text);
    await openReview(user, to, text);
    await insist(async () => {
      const { trouble } = await user.submits();
      // Where it was taken, the review has gone, and another click does nothing.
      return trouble === undefined || !isTitled(user, 'Message review') ? true : undefined;
    }, 'to send a message');
    const isAnswered = () => !wordsOf(user.modal()?.view).includes('Sending…');
    await slack.until(isAnswered, 'an outcome', answerWithinMs).catch(() => {});
  }

  async function operationsWith(text: string): Promise<Operation[]> {
    const operations = await store.ledger.recent({ workspaceId, subject: 'sms', limit: 10_000 });
    const written = await store.ledger.texts(
      workspaceId,
      operations.map(({ id }) => id),
    );
    return operations.filter(({ id }) => written.get(id)?.text === text);
  }

  const working = (async () => {
    while (!stopping) {
      await sendOne();
      await pause(100 + pick(400));
    }
  })();

  return {
    get sent() {
      return texts.length;
    },
    get unanswered() {
      return outcomes.filter(({ states }) => states.length === 0).length;
    },
    get toldAgain() {
      return outcomes.flatMap(({ told }) => told).filter((words) => words.includes(mayBeRepeated)).length;
    },
    async stop() {
      stopping = true;
      await working;
      await insist(async () => {
        const open = await store.db
          .selectFrom('outbox')
          .select('subject')
          .where('subject', '=', 'operation')
          .execute();
        return open.length === 0 ? true : undefined;
      }, 'to have every outcome told').catch(() => {});
      for (const text of texts) {
        outcomes.push({
          text,
          taken: provider.record.filter((message) => message.text === text).length,
          states: (await operationsWith(text)).map(({ state }) => state),
          told: user
            .messages()
            .map(wordsOf)
            .filter((words) => words.includes(shownNumber(texts.indexOf(text)))),
        });
      }
    },
    assertWhole() {
      for (const { text, taken, states, told } of outcomes) {
        const what = `${text} taken ${taken} times, ${states.join()}, told ${told.length} times: ${told.join(' | ')}`;
        // Where an instance was killed while it told somebody, they are told again, and that it is.
        assert.ok(told.length <= 1 || told.slice(1).every((words) => words.includes(mayBeRepeated)), what);
        if (states.length === 0) {
          // The instance was killed after it took the click and before it wrote it down: the modal never said that it was sent.
          assert.deepEqual([taken, told], [0, []], what);
          continue;
        }
        assert.equal(states.length, 1, what);
        const [state = ''] = states;
        assert.ok(state === 'accepted' ? taken === 1 : state === 'unconfirmed' && taken <= 1, what);
      }
    },
  };
}
