import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { type DatabaseName, databaseNames, newDatabase } from './support/databases.ts';
import { atMost, grouped, type MeasureOptions } from './support/measurement.ts';
import { startProgram } from './support/program.ts';
import type { Row } from './support/rows.ts';
import { run } from './support/services.ts';
import { startSlack } from './support/slack.ts';
import { connectedSettings, startOptions } from './support/switchboard.ts';

const campaigns = 1_000;
/** Recipients of each: they take about this many seconds, or a tenth of them. */
const recipients = { many: 60, few: 6 };
const seconds = 60;
/** Of the workspace. */
const messagesPerSecond = 1_000;
const maxRatio = 1.1;
const msBetweenStarts = 5;

const seenSchema = z.object({ recipients: z.number() });

interface Minute {
  /** Calls of Slack about messages, and those that were answered with 429. */
  messages: number;
  refused: number;
  sent: number;
}

/**
 * A thousand campaigns of one workspace, started at once: what they ask of Slack in the first minute, with many recipients
 * and with a tenth of them. Slack refuses what is too much.
 */
export async function measureManyCampaigns({ profile }: MeasureOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const database of databaseNames) {
    const few = await minuteOf(database, recipients.few, profile);
    const many = await minuteOf(database, recipients.many, profile);
    const about = { measure: `calls to Slack in a minute of ${grouped(campaigns)} campaigns`, database };
    rows.push(
      {
        ...about,
        ours: `${grouped(many.messages)}, ${grouped(many.sent)} messages sent`,
        rival: `${grouped(few.messages)}, ${grouped(few.sent)} messages sent`,
        ...atMost(maxRatio, many.messages / few.messages),
      },
      {
        ...about,
        measure: `of these, answered with 429`,
        ours: grouped(many.refused + few.refused),
        rival: '–',
        ratio: undefined,
        target: 'none',
        reached: many.refused + few.refused === 0,
      },
    );
  }
  return rows;
}

async function minuteOf(database: DatabaseName, size: number, profile: string | undefined): Promise<Minute> {
  const slack = await startSlack();
  const provider = await startProgram(new URL('fake-provider.ts', import.meta.url));
  await fetch(`${provider.url}/slow?milliseconds=20`);
  const settings = await connectedSettings(
    slack.url,
    provider.url,
    'bench-key-41c7d90be2',
    await newDatabase(database),
  );
  const program = await startProgram(
    new URL('campaign-app.ts', import.meta.url),
    { ...settings, CAMPAIGN_MESSAGES_PER_SECOND: String(messagesPerSecond), LOG_LEVEL: 'error' },
    profile,
    startOptions,
  );
  const ids = Array.from({ length: campaigns }, (_, index) => `c${index}`);
  await run(ids, async (id) => void (await fetch(`${program.url}/read?id=${id}&rows=${size}`)), 4);
  // What is not over after a minute is cut off.
  const ending: Promise<unknown>[] = [];
  const end = performance.now() + seconds * 1000;
  for (const id of ids) {
    ending.push(fetch(`${program.url}/send?id=${id}`).catch(() => {}));
    // As many clicks at once as would be refused are not the subject.
    await wait(msBetweenStarts);
  }
  await wait(end - performance.now());
  const { messages, refused } = await slack.seen();
  const seen: unknown = await (await fetch(`${provider.url}/seen`)).json();
  for (const each of [program, provider, slack]) {
    await each.stop();
  }
  await Promise.all(ending);
  const { recipients: sent } = seenSchema.parse(seen);
  if (sent === 0) {
    throw new Error('No campaign has sent anything.');
  }
  console.error(`${database}, ${size} recipients each: ${messages} calls, ${refused} refused, ${sent} sent`);
  return { messages, refused, sent };
}
