import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { JsonObject } from '../../sandbox/lib/json.ts';
import { type Permission, permissionsOf, type Role } from '../../src/domain/access/roles.ts';
import { readMenuOption } from '../../src/slack/block-kit/build.ts';
import { roleNames } from '../../src/slack/block-kit/descriptions/workspace.ts';
import { neededPermissions } from '../support/app/needed-permissions.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { createEsim } from '../support/slack/esim-steps.ts';
import { addPhonebook } from '../support/slack/phonebook-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';

/** How many screens deep, from Home. */
const depth = 3;

/** Commands that everyone with a role may type, which answer in a message or with a screen. */
const commands = ['/number +2348031234567', '/dnd-check +2348031234567', '/contacts', '/esim', '/sender-id'];

function neededFor(kind: 'action' | 'submission', name: string): Permission | undefined {
  return neededPermissions.find((each) => each.kind === kind && each.name === name)?.needed;
}

interface Offered {
  blockId: string;
  actionId: string;
  element: JsonObject;
  /** Of a menu, the one that is offered. */
  option?: JsonObject;
}

function objects(value: unknown): JsonObject[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((each): each is JsonObject => typeof each === 'object' && each !== null);
}

/** Everything in these blocks that sends a request when it is used. */
function offeredIn(blocks: unknown): Offered[] {
  return objects(blocks).flatMap((block) => {
    const used = block.dispatch_action === true ? objects(block.element) : [];
    return [...objects(block.elements), ...objects(block.accessory), ...used].flatMap((element) => {
      const blockId = String(block.block_id);
      // An option of a menu stands for a button.
      return element.type === 'overflow'
        ? objects(element.options).map((option) => ({
            blockId,
            actionId: readMenuOption(String(option.value)).actionId,
            element,
            option,
          }))
        : typeof element.action_id === 'string'
          ? [{ blockId, actionId: element.action_id, element }]
          : [];
    });
  });
}

/** Opens what a person can reach from Home and by commands, and asserts that they may use all that is offered there. */
async function walk(
  { slack, app, teamId, grace, channels, idOf }: TestWorkspace,
  role: Role,
): Promise<Set<string>> {
  const member = idOf('U0MEMBER');
  const { access } = app().services;
  const { version } = await access.settings(teamId);
  const grants = [{ to: { kind: 'person' as const, id: member }, role }];
  await access.change({ workspaceId: teamId, userId: grace.id, version, change: () => grants });
  const may = permissionsOf([role]);
  const seen = new Set<string>();
  const pressed = new Set<string>();
  const shown = () => slack.snapshot(member);
  const before = shown().messages.length;

  /** What changes with everything that is shown. */
  const mark = () => {
    const { modals, home, messages } = shown();
    const top = modals.at(-1) ?? home;
    return `${top?.id} ${top?.hash} ${messages.length}`;
  };

  /** Resolves once something else than before is shown, and nothing loads in it. */
  async function settled(last: string, by: string): Promise<void> {
    const isLoading = () =>
      /Loading|Asking the provider|Searching…|Checking/.test(
        JSON.stringify(shown().modals.at(-1)?.view ?? {}),
      );
    await slack.until(() => mark() !== last && !isLoading(), `a ${role} to see another screen by ${by}`);
  }

  const open = () => shown().modals.at(-1) ?? shown().home;

  function checkActions(blocks: unknown): Offered[] {
    const offered = offeredIn(blocks);
    for (const { actionId } of offered) {
      const needed = neededFor('action', actionId);
      assert.ok(
        needed !== undefined && may.has(needed),
        `a ${role} is offered ${actionId}, which needs ${needed}: ${wordsOf(blocks)}`,
      );
      seen.add(actionId);
    }
    return offered;
  }

  function check(view: JsonObject): Offered[] {
    const offered = checkActions(view.blocks);
    const callback = String(view.callback_id ?? '');
    const submitted = view.submit === undefined || view.submit === null ? undefined : callback;
    const needed = submitted === undefined ? 'use' : neededFor('submission', submitted);
    assert.ok(needed !== undefined && may.has(needed), `a ${role} is offered to submit ${callback}`);
    return offered;
  }

  async function leave(): Promise<void> {
    while (shown().modals.length > 0) {
      await slack.perform({ do: 'close', person: member, viewId: shown().modals.at(-1)?.id ?? '' });
    }
  }

  async function press(path: readonly Offered[]): Promise<void> {
    await leave();
    for (const { actionId, element } of path) {
      const view = open();
      // Slack names the blocks differently each time.
      const same = offeredIn(view?.view.blocks).find(
        (each) => each.actionId === actionId && each.element.value === element.value,
      );
      if (view === undefined || same === undefined) {
        assert.fail(`${actionId} is gone`);
      }
      const last = mark();
      await slack.perform({
        do: 'action',
        person: member,
        container: { type: 'view', viewId: view.id },
        blockId: same.blockId,
        actionId: String(same.element.action_id),
        ...(same.option && { state: { type: 'overflow', selected_option: same.option } }),
      });
      await settled(last, path.map((each) => each.actionId).join(' then '));
    }
  }

  async function explore(path: readonly Offered[]): Promise<void> {
    const view = open();
    const offered = view === undefined ? [] : check(view.view);
    if (path.length === depth) {
      return;
    }
    for (const next of offered) {
      // What asks for a confirmation changes something; what is not a button needs a value.
      if (
        ['button', 'overflow'].includes(String(next.element.type)) &&
        next.element.confirm === undefined &&
        !pressed.has(next.actionId)
      ) {
        pressed.add(next.actionId);
        await press([...path, next]);
        await explore([...path, next]);
      }
    }
  }

  await slack.perform({ do: 'home', person: member });
  await slack.until(
    () => wordsOf(shown().home?.view).includes(`Your role: ${roleNames[role]}`),
    `the Home of a ${role}`,
  );
  await explore([]);
  for (const typed of commands) {
    await leave();
    const last = mark();
    const [command = '', ...text] = typed.split(' ');
    await slack.perform({
      do: 'command',
      person: member,
      channel: channels.support,
      command,
      text: text.join(' '),
    });
    await settled(last, typed);
    check(open()?.view ?? {});
  }
  await leave();
  // What says that a command is under way is replaced by its result.
  await app().settled();
  for (const { blocks } of shown().messages.slice(before)) {
    checkActions(blocks);
  }
  return seen;
}

it('nobody is offered what they may not do, on any screen that they can open', async (test) => {
  const testApp = await joinTestApp(test, { env: profileEnv({ contactDeleteBy: 'query:contact_id' }) });
  await addPhonebook(testApp);
  await createEsim(testApp);
  const viewer = await walk(testApp, 'viewer');
  for (const actionId of ['contacts_back', 'sender_id_list.status', 'esim_country', 'number_history']) {
    assert.ok(viewer.has(actionId), actionId);
  }
  const agent = await walk(testApp, 'agent');
  assert.ok(agent.has('contacts_send_one') && agent.has('esim_list_open'));
  await walk(testApp, 'buyer');
  const sender = await walk(testApp, 'sender');
  assert.ok(sender.has('contacts_delete') && sender.has('sender_id_request'));
});
