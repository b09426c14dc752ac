import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, objectsIn, stringAt } from '../../../sandbox/lib/json.ts';
import type { Container, OpenView } from '../../../sandbox/slack/protocol.ts';
import type { TestWorkspace } from '../app/test-workspace.ts';
import type { SlackUser } from '../slack/slack-user.ts';
import { fieldsOf } from './odd-values.ts';

/** A modal as somebody saw it, with what was in its fields. */
export type ShownForm = Pick<OpenView, 'view' | 'values'> & { name: string };

/** Notes each modal that a person is shown, once for each set of fields, until the returned function is called. */
export function noteForms({ slack }: TestWorkspace, person: SlackUser): () => ShownForm[] {
  const forms = new Map<string, ShownForm>();
  const stop = slack.onChange(() => {
    for (const { view, values } of slack.snapshot(person.id, person.team).modals) {
      const name = stringAt(view, 'callback_id') ?? '';
      const fields = fieldsOf(view).map(({ actionId }) => actionId);
      forms.set(JSON.stringify([name, fields]), { name, view, values });
    }
  });
  return () => {
    stop();
    return [...forms.values()];
  };
}

/**
 * Types the commands, and presses every button that they lead to: those that end or remove something last. So each form
 * that a button opens is shown, also one that is added later. Nothing is submitted.
 *
 * @param options.most how often a button is pressed: a list leads to one of its rows only, each time
 */
export async function pressEverything(
  { slack, app }: TestWorkspace,
  person: SlackUser,
  {
    commands,
    except,
    most,
  }: {
    commands: readonly (readonly [command: string, text: string])[];
    except: readonly string[];
    most: number;
  },
): Promise<void> {
  const times = new Map(except.map((name) => [name, most]));

  async function press(container: Container, shown: JsonObject): Promise<boolean> {
    const timesOf = ({ name }: { name: string }) => times.get(name) ?? 0;
    const [next] = buttonsIn(shown).toSorted((one, other) => timesOf(one) - timesOf(other));
    if (next === undefined || timesOf(next) >= most) {
      return false;
    }
    times.set(next.name, timesOf(next) + 1);
    await slack.perform({ do: 'action', person: person.id, container, ...next.press });
    await app().settled();
    return true;
  }

  const homeNow = () => slack.snapshot(person.id, person.team).home ?? assert.fail('no Home');

  /** Ends with no modal open. */
  async function pressInModals(): Promise<void> {
    for (let modal = person.modal(); modal !== undefined; modal = person.modal()) {
      if (!(await press({ type: 'view', viewId: modal.id }, modal.view))) {
        await person.closes();
        await app().settled();
      }
    }
  }

  await pressInModals();
  for (const [command, text] of commands) {
    for (let before = -1; before < times.size; ) {
      before = times.size;
      await person.types(command, text);
      await app().settled();
      await pressInModals();
    }
  }
  await slack.perform({ do: 'home', person: person.id });
  await app().settled();
  for (let home = homeNow(); await press({ type: 'view', viewId: home.id }, home.view); home = homeNow()) {
    await pressInModals();
  }
  for (let message = 0; message < person.messages().length; ) {
    const { channel = '', ts = '', blocks = [] } = person.messages()[message] ?? {};
    if (await press({ type: 'message', channel, ts }, { blocks })) {
      await pressInModals();
    } else {
      message += 1;
    }
  }
}

/** The buttons and the options of menus. */
function buttonsIn({ blocks }: JsonObject) {
  const buttons = objectsIn(blocks).flatMap((block) =>
    [block.accessory, ...objectsIn(block.elements)].filter(isJsonObject).flatMap((element) => {
      const place = {
        blockId: stringAt(block, 'block_id') ?? '',
        actionId: stringAt(element, 'action_id') ?? '',
      };
      if (element.type === 'button' && element.url === undefined) {
        return [
          {
            name: place.actionId,
            press: place,
            isRisky: element.style !== undefined || element.confirm !== undefined,
          },
        ];
      }
      return element.type === 'overflow'
        ? objectsIn(element.options).map((option) => ({
            name: (stringAt(option, 'value') ?? '').split(' ')[0] ?? '',
            press: { ...place, state: { type: 'overflow', selected_option: option } },
            isRisky: true,
          }))
        : [];
    }),
  );
  return buttons.toSorted((one, other) => Number(one.isRisky) - Number(other.isRisky));
}
