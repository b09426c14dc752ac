import type { InputBlock, PlainTextOption } from '@slack/types';
import { senderFields } from '../../domain/messages/message-checks.ts';
import { withFallbacks } from '../../domain/messages/template.ts';
import type { TemplateVersion } from '../../store/workspaces/templates.ts';
import { option } from '../block-kit/build.ts';
import { searchInput } from '../block-kit/inputs/fields.ts';
import { clampList, limits } from '../block-kit/limits.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { AppContext } from '../middleware/app-context.ts';
import { UserError } from '../middleware/errors.ts';
import type { OptionsRequest, OptionsResponse } from '../middleware/requests.ts';
import type { Viewer } from '../navigation/navigation.ts';
import { searchField } from './fields.ts';

type Context = Pick<AppContext, 'services'>;

const label = 'Template';
const defaults = { optional: true, placeholder: 'Replaces the message' };

/** A searched select of the workspace's templates. `FormSpec.fills` defines the fields that it fills. */
export function templateField(context: Context) {
  return searchField(label, (call) => templateOptions(context, call), { ...defaults, live: true });
}

/** The same for a form without the kit, which registers `templateOptions` for its action. */
export function templateInput(action: string): InputBlock {
  return searchInput('template', label, { ...defaults, actionId: action, dispatch: true });
}

/** The templates whose name contains the query. */
export async function templateOptions(
  { services: { templates } }: Context,
  { user, query }: OptionsRequest,
): Promise<OptionsResponse> {
  const found = await templates.list(user.workspaceId, query);
  const { shown, cut } = clampList(found, limits.options);
  const options = shown.map(({ id, name }) => option(name, id));
  return cut === 0
    ? { options }
    : { options, note: `The first ${shown.length} of ${found.length}: type to find the others` };
}

/**
 * Returns the template that was chosen in a form.
 *
 * @throws UserError if it is deleted
 */
export async function chosenTemplate(
  { services: { templates } }: Context,
  { workspaceId }: Pick<Viewer, 'workspaceId'>,
  id: string,
): Promise<TemplateVersion> {
  const found = await templates.find(workspaceId, id);
  if (found === undefined) {
    throw new UserError(mrkdwn`This template is deleted.`);
  }
  return found;
}

/** Returns the values that a template puts into the form of a single message, which fills in no columns. */
export function fieldsOfTemplate({ text, withoutAccents, ...from }: TemplateVersion) {
  return { text: withFallbacks(text), withoutAccents, route: from.route, ...senderFields(from) };
}

/** Returns the same of the one that was chosen in the field; undefined where none is. */
export async function fieldsOfChosen(context: Context, user: Viewer, chosen: PlainTextOption | undefined) {
  return chosen?.value === undefined
    ? undefined
    : fieldsOfTemplate(await chosenTemplate(context, user, chosen.value));
}
