import assert from 'node:assert/strict';
import type { App } from '@slack/bolt';
import { WebAPIPlatformError } from '@slack/web-api';
import type { JsonObject } from '../../lib/json.ts';
import type { SlackSandbox } from '../../slack/server.ts';
import { overHttp } from './app-under-test.ts';

export const person = 'U0AGENT';
export const channel = 'C0SUPPORT';

/** Starts a Bolt app that records every request and acknowledges with the answer set by `answerWith`. */
export async function recording(start = overHttp, options: Parameters<typeof overHttp>[1] = {}) {
  const bodies: JsonObject[] = [];
  const state: { answer: unknown; silent: boolean } = { answer: undefined, silent: false };
  const register = (app: App): void => {
    // One listener for everything: Bolt's routing is not under test.
    app.use(async (args) => {
      bodies.push(JSON.parse(JSON.stringify(args.body)));
      if (!state.silent && 'ack' in args && typeof args.ack === 'function') {
        await (args.ack as (a?: unknown) => Promise<void>)(state.answer);
      }
    });
  };
  const probe = await start(register, options);
  return Object.assign(probe, {
    bodies,
    last: (): JsonObject => bodies.at(-1) ?? {},
    answerWith(answer: unknown): void {
      state.answer = answer;
    },
    /** Stops acknowledging. */
    stopAcknowledging(): void {
      state.silent = true;
    },
  });
}

export type Recorder = Awaited<ReturnType<typeof recording>>;

/** Performs the command `/probe`. Resolves with the fields that the app received. */
export async function commanded(probe: Recorder, text = ''): Promise<Record<string, string>> {
  await probe.slack.perform({ do: 'command', person, channel, command: '/probe', text });
  return Object.fromEntries(Object.entries(probe.last()).map(([key, value]) => [key, String(value)]));
}

export async function fillIn(
  slack: SlackSandbox,
  viewId: string,
  blockId: string,
  actionId: string,
  state: JsonObject,
) {
  await slack.perform({ do: 'fill', person, viewId, blockId, actionId, state });
}

export const words = (text: string) => ({ type: 'plain_text', text }) as const;

export const textInput = (blockId: string, actionId: string, more: JsonObject = {}) => ({
  type: 'input' as const,
  block_id: blockId,
  label: words(blockId),
  element: { type: 'plain_text_input' as const, action_id: actionId, ...more },
});

/** For `assert.rejects`: matches Slack's error of a call, and one of its messages. */
export const refusal = (error: string, message?: RegExp) => (thrown: unknown) => {
  assert.ok(thrown instanceof WebAPIPlatformError, String(thrown));
  assert.equal(thrown.data.error, error);
  if (message) {
    assert.match(thrown.data.response_metadata?.messages?.join(' ') ?? '', message);
  }
  return true;
};
