import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { AuditEntry } from '../../../src/store/audit/audit-trail.ts';
import type { TestApp } from '../app/test-app.ts';

const workspaceId = 'T0SWITCH';

/** What an entry says: who, what, how it ended, from where; and what it was about. */
export type Said = [
  userId: string | undefined,
  action: string,
  outcome: string,
  surface: string,
  subject?: RegExp,
];

export interface Step {
  what: string;
  act: (app: TestApp) => Promise<unknown>;
  /** In their order. */
  said: Said[];
}

export const ada = 'U0AGENT';
export const grace = 'U0ADMIN';
export const first = '+2348051234500';

export async function entries({ app }: TestApp, of = workspaceId): Promise<AuditEntry[]> {
  return Array.fromAsync(app().services.audit.all({ workspaceId: of }));
}

export function said({ userId, action, outcome, surface }: AuditEntry): Said {
  return [userId, action, outcome, surface];
}

/** Resolves once the latest entry is of this action: what runs in the background may be recorded by another instance. */
export async function recorded(testApp: TestApp, action: string): Promise<void> {
  for (let times = 0; (await entries(testApp)).at(-1)?.action !== action && times < 200; times += 1) {
    await pause(10);
  }
}

/** Does each step, after which exactly its entries are there that were not there before. */
export async function does(testApp: TestApp, steps: readonly Step[]): Promise<void> {
  for (const { what, act, said: expected } of steps) {
    const before = (await entries(testApp)).length;
    await act(testApp);
    await testApp.app().settled();
    let now = (await entries(testApp)).slice(before);
    for (let times = 0; now.length < expected.length && times < 200; times += 1) {
      await pause(10);
      now = (await entries(testApp)).slice(before);
    }
    assert.deepEqual(
      now.map(said),
      expected.map(([userId, action, outcome, surface]) => [userId, action, outcome, surface]),
      what,
    );
    for (const [index, [, , , , subject = /^/]] of expected.entries()) {
      assert.match(now[index]?.subject ?? '', subject, what);
    }
  }
}
