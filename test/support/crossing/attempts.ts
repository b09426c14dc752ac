import { isJsonObject, type JsonObject, objectsIn, stringAt } from '../../../sandbox/lib/json.ts';
import type { LoggedRequest } from '../../../sandbox/lib/logged-request.ts';
import { type Attempt, withIds } from '../slack/forged-requests.ts';
import { placeOf } from './evidence.ts';
import type { Tenant } from './tenants.ts';

/** Returns what people of a workspace pressed and submitted with ids in it, and what they searched, the last of each kind. */
export function attemptsOf(exchanges: readonly LoggedRequest[], { workspaceId }: Tenant): Attempt[] {
  const attempts = exchanges.flatMap(({ from, request }) =>
    from === 'slack' && isJsonObject(request) && placeOf(request) === workspaceId ? attemptsIn(request) : [],
  );
  return withIds(attempts, 1);
}

function attemptsIn(request: JsonObject): Attempt[] {
  const view = viewIn(request);
  switch (request.type) {
    case 'block_actions':
      return objectsIn(request.actions).map((action) => {
        const chosen = isJsonObject(action.selected_option) ? action.selected_option : action;
        return {
          kind: 'action',
          name: stringAt(action, 'action_id') ?? '',
          value: stringAt(chosen, 'value') ?? '',
          view,
        };
      });
    case 'view_submission':
    case 'view_closed':
      return [
        {
          kind: request.type === 'view_closed' ? 'closed' : 'submission',
          name: isJsonObject(request.view) ? (stringAt(request.view, 'callback_id') ?? '') : '',
          value: '',
          view,
        },
      ];
    case 'block_suggestion':
      return [
        {
          kind: 'options',
          name: stringAt(request, 'action_id') ?? '',
          value: stringAt(request, 'value') ?? '',
          view,
        },
      ];
    default:
      return [];
  }
}

function viewIn({ view }: JsonObject): Attempt['view'] {
  if (!isJsonObject(view) || view.type !== 'modal') {
    return undefined;
  }
  const values = isJsonObject(view.state) && isJsonObject(view.state.values) ? view.state.values : {};
  return { metadata: stringAt(view, 'private_metadata') ?? '', values };
}

/** Who tries something, and whose it is: each with the ICCIDs of their account. */
export interface Attack {
  attacker: Tenant & { iccids: readonly string[] };
  victim: Tenant & { iccids: readonly string[] };
}

/**
 * Returns an attempt of one workspace as somebody of another would type it: only its ids are foreign. What is searched is the
 * beginning of what others have.
 */
export function typedBy({ attacker, victim }: Attack, { value, view, ...attempt }: Attempt): Attempt {
  const searched = new RegExp(`${victim.word}.*`);
  const typed = (text: string) =>
    victim.iccids
      .reduce((typedSoFar, iccid, index) => typedSoFar.replaceAll(iccid, attacker.iccids[index] ?? ''), text)
      .replaceAll(victim.word, attacker.word)
      .replaceAll(victim.word.toLowerCase(), attacker.word.toLowerCase())
      .replaceAll(victim.channel, attacker.channel)
      .replaceAll(`805${victim.digit}00${victim.digit}`, `805${attacker.digit}00${attacker.digit}`);
  return {
    ...attempt,
    value: attempt.kind === 'options' ? value.replace(searched, victim.word.slice(0, -1)) : typed(value),
    view: view && { metadata: typed(view.metadata), values: JSON.parse(typed(JSON.stringify(view.values))) },
  };
}
