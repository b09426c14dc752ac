import type { Button, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import type { Permission } from '../../../domain/access/roles.ts';
import { textToSend } from '../../../domain/messages/accents.ts';
import { senderFields } from '../../../domain/messages/message-checks.ts';
import { maxTemplateName } from '../../../domain/messages/named-templates.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import { isBilledByPage, routeTitles } from '../../../domain/messages/routes.ts';
import { readTemplate } from '../../../domain/messages/template.ts';
import { countryName } from '../../../domain/phone/countries.ts';
import { unsavedReasons } from '../../../services/templates/templates.ts';
import type { TemplateVersion } from '../../../store/workspaces/templates.ts';
import {
  actions,
  banner,
  button,
  confirmDialog,
  context as contextBlock,
  notice,
  present,
  quotation,
  section,
} from '../../block-kit/build.ts';
import { describeCost } from '../../block-kit/descriptions/costs.ts';
import {
  describeAccents,
  lengthOfTemplate,
  templateLengthBlocks,
} from '../../block-kit/descriptions/warnings.ts';
import { pageIndicator, viewPageOf } from '../../block-kit/paging.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import { accentsField, offersAccents, routeField, senderField, textField } from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import { byPage, defineList } from '../../kit/list.ts';
import { saved } from '../../kit/settings.ts';
import { chosenTemplate, fieldsOfTemplate } from '../../kit/template-field.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Navigation, Viewer } from '../../navigation/navigation.ts';

type Context = Pick<AppContext, 'services'>;

const ids = {
  add: 'template_add',
  open: 'template_open',
  use: 'template_use',
  change: 'template_change',
  versions: 'template_versions',
  restore: 'template_restore',
  remove: 'template_remove',
} as const;

/** The value of a button: the newest version shown, and the earlier one to restore. */
const refSchema = z.object({ id: z.string(), version: z.number().int(), previous: z.number().optional() });
const refOf = ({ value }: ActionRequest) => refSchema.parse(JSON.parse(value));
const refButton = (action: string, text: string, ref: z.infer<typeof refSchema>, look = {}) =>
  button(action, text, { value: JSON.stringify(ref), ...look });

/** The templates of messages: everyone who may send uses them, and those with the permission change them. */
export function registerTemplates(router: Router, context: AppContext): void {
  const { templates, messages } = context.services;
  const list = defineTemplateList(context);
  const form = defineTemplateForm(context);
  list.register(router);
  form.register(router);

  router.action(ids.open, 'send', async ({ user, value, push }) => {
    await push(await viewOf(context, user, value));
  });

  router.action(ids.use, 'send', async (call) => {
    const { user, requestId } = call;
    const begin = fieldsOfTemplate(await chosenTemplate(context, user, refOf(call).id));
    const draftId = idempotencyKey(user.workspaceId, requestId);
    await call.push(await context.navigation.messageForm(user, { recipients: '', ...begin }, { draftId }));
  });

  router.action(ids.add, 'templates', async ({ user, requestId, push }) => {
    const id = idempotencyKey(user.workspaceId, requestId, 'template');
    const { device = '', ...begin } = await messages.prefill(user.workspaceId, user.userId);
    await push(await form.view(user, { id, version: 0 }, { initial: { ...begin, device } }));
  });

  router.action(ids.change, 'templates', async (call) => {
    const template = await chosenTemplate(context, call.user, refOf(call).id);
    const { id, version, name, text, withoutAccents, route } = template;
    const initial = { name, text, withoutAccents, route, ...senderFields(template) };
    await call.show(await form.view(call.user, { id, version }, { initial }));
  });

  router.action(ids.versions, 'send', async (call) => {
    await call.push(await versionsOf(context, call.user, refOf(call).id));
  });

  router.action(ids.restore, 'templates', async (call) => {
    const { id, version, previous = 0 } = refOf(call);
    const { kind } = await templates.restore({ ...call.user, id, version }, previous);
    const feedback = kind === 'saved' ? saved : mrkdwn`${stateIcons.failed} ${unsavedReasons[kind]}`;
    await call.show(await versionsOf(context, call.user, id, feedback));
  });

  router.action(ids.remove, 'templates', async (call) => {
    const { id, version } = refOf(call);
    const written = await templates.remove({ ...call.user, id, version });
    if (written.kind !== 'saved') {
      throw new UserError(mrkdwn`${unsavedReasons[written.kind]}`);
    }
    const deleted = mrkdwn`${stateIcons.done} *${written.saved.name}* is deleted.`;
    const feedback = [section(deleted, refButton(ids.versions, 'See version history', { id, version }))];
    await call.show(await list.view(call.user, list.start({}, undefined), { feedback }));
  });
}

/** The list as other features open it. */
export function createTemplateList(context: Context): Navigation['templates'] {
  const list = defineTemplateList(context);
  return (viewer) => list.view(viewer, list.start({}, undefined));
}

const perPage = 20;

function defineTemplateList({ services: { templates } }: Context) {
  return defineList({
    id: 'templates',
    title: 'Templates',
    needs: 'send',
    fields: {
      part: textField('Search templates', {
        placeholder: 'Part of a name',
        max: maxTemplateName,
        optional: true,
        live: 'enter',
      }),
    },
    paging: byPage,
    async read({ workspaceId }, { form, position: { from } }) {
      const found = await templates.list(workspaceId, form.part);
      const { shown, ...neighbours } = viewPageOf(found, { page: 0, from }, { last: true, most: perPage });
      const rows = shown.map(({ id, name, route, senderId }) =>
        section(
          mrkdwn`*${name}*\nFrom ${senderId}, ${routeTitles[route]}`,
          button(ids.open, 'Open', { value: id }),
        ),
      );
      const totalPages = Math.ceil(found.length / perPage);
      const about = { number: Math.floor(from / perPage), totalPages, totalElements: found.length };
      const empty = form.part.trim() === '' ? mrkdwn`No templates yet.` : mrkdwn`No results.`;
      return { rows, empty, about: pageIndicator(about), neighbours };
    },
    buttons: ({ permissions }): Button[] =>
      permissions.has('templates') ? [button(ids.add, 'New template', { style: 'primary' })] : [],
  });
}

function defineTemplateForm(context: Context) {
  const { templates, unicode, optOutAddress } = context.services;
  const replaceAction = 'template_plain_text';
  return defineForm({
    id: 'template_form',
    title: ({ meta }) => (meta.version === 0 ? 'New template' : 'Template'),
    submit: 'Save',
    needs: 'templates',
    meta: z.object({ id: z.string(), version: z.number().int() }),
    fields: {
      name: textField('Name', { max: maxTemplateName, hint: 'People type this name to use the template.' }),
      text: textField('Message', {
        multiline: true,
        live: 'character',
        hint: 'In campaigns, use columns: {{first_name}}. Fallback if empty: {{first_name|there}}.',
      }),
      withoutAccents: accentsField(),
      device: textField('Device', { max: 2000, hint: 'The name of your device, shown as the sender.' }),
      senderId: senderField(),
      route: routeField(),
    },
    when: {
      withoutAccents: (form) => offersAccents(form, unicode),
      device: ({ route }) => route === 'chatapp',
      senderId: ({ route }) => route !== 'chatapp',
    },
    notes: {
      text: ({ form: { text, route, withoutAccents } }) =>
        templateLengthBlocks(text, { route, unicode, withoutAccents, optOutAddress, replaceAction }),
    },
    replaces: { text: { action: replaceAction, by: ({ text }) => toPlainText(text) } },
    async submitted({ user, meta, form }) {
      const written = await templates.save({ ...user, ...meta }, form);
      if ('faults' in written) {
        return written;
      }
      return written.kind === 'saved'
        ? { view: await viewOf(context, user, meta.id, saved) }
        : { faults: { name: unsavedReasons[written.kind] } };
    },
  });
}

/** Returns a template as it is now. */
async function viewOf(context: Context, user: Viewer, id: string, feedback?: Markup): Promise<ModalView> {
  const { workspaces, costs, optOutAddress } = context.services;
  const template = await chosenTemplate(context, user, id);
  const { country } = await workspaces.defaults(user.workspaceId);
  const { text } = textToSend(template.text, template.withoutAccents);
  const length = lengthOfTemplate(text, optOutAddress);
  const pages = { [country]: countPages(length.counted).pages };
  const { balance: _, ...cost } = await costs.estimate(user.workspaceId, { route: template.route, pages });
  const price = mrkdwn`One recipient in ${countryName(country)} · ${describeCost(cost, template.route)}`;
  return templateView(template, user.permissions, { ...length, price, feedback });
}

/** A template as its message will look: its columns marked, its length, and the price of a message to one recipient. */
export function templateView(
  { id, version, name, text: typed, withoutAccents, route, senderId, changedBy, changedAt }: TemplateVersion,
  permissions: ReadonlySet<Permission>,
  shown: ReturnType<typeof lengthOfTemplate> & { price: Markup; feedback?: Markup | undefined },
): ModalView {
  const { counted, isLonger, price, feedback } = shown;
  const { pages, characters } = countPages(counted);
  const size = present(isBilledByPage(route) && pluralize(pages, 'page'), pluralize(characters, 'character'));
  const mayChange = permissions.has('templates');
  const ref = { id, version };
  const { text, accented } = textToSend(typed, withoutAccents);
  return notice(
    'Template',
    ...banner(feedback),
    section(mrkdwn`*${name}*\nFrom *${senderId}* on the *${routeTitles[route]}* route`),
    markedText(text),
    ...present(accented !== undefined && contextBlock(describeAccents(accented))),
    contextBlock(mrkdwn`${size.join(', ')}${isLonger ? ' before names are filled in' : ''}`, price),
    contextBlock(changeOf(changedBy, changedAt)),
    actions(
      'template',
      ...present(
        refButton(ids.use, 'Use', ref, { style: 'primary' }),
        mayChange && refButton(ids.change, 'Change', ref),
        refButton(ids.versions, 'See version history', ref),
        mayChange && refButton(ids.remove, 'Delete', ref, { confirm: deletion }),
      ),
    ),
  );
}

const deletion = confirmDialog({
  title: 'Delete this template?',
  text: 'It can no longer be chosen. Campaigns and messages already written with it keep its text.',
  yes: 'Delete',
  no: 'Keep template',
  danger: true,
});

const changeOf = (userId: string, at: Date) => mrkdwn`Changed by ${userMention(userId)}, ${timeFor(at)}`;

/** The text as a quotation, each column as code with its name, and its fallback where it has one. */
function markedText(text: string): KnownBlock {
  const read = readTemplate(text);
  const parts = read.ok ? read.template.parts : [text];
  const elements = parts.map((part) =>
    typeof part === 'string'
      ? { type: 'text' as const, text: part }
      : {
          type: 'text' as const,
          text: [part.column, ...present(part.fallback)].join(' | '),
          style: { code: true },
        },
  );
  return { type: 'rich_text', elements: [{ type: 'rich_text_quote', elements }] };
}

async function versionsOf(
  { services: { templates } }: Context,
  { workspaceId, permissions }: Viewer,
  id: string,
  feedback?: Markup,
): Promise<ModalView> {
  return templateVersionsView(await templates.versions(workspaceId, id), permissions, feedback);
}

/** The versions of a template that are kept, the newest first. */
export function templateVersionsView(
  versions: readonly TemplateVersion[],
  permissions: ReadonlySet<Permission>,
  feedback?: Markup,
): ModalView {
  const newest = versions[0]?.version ?? 0;
  const rows = versions.flatMap(({ id, version, name, text, state, changedBy, changedAt }) => {
    const by = changeOf(changedBy, changedAt);
    if (state === 'deleted') {
      return [section(joinInline([mrkdwn`*Deleted*`, by]))];
    }
    const restore = refButton(ids.restore, 'Restore', { id, version: newest, previous: version });
    const title = state === 'current' ? [mrkdwn`*${name}*`, mrkdwn`current`, by] : [mrkdwn`*${name}*`, by];
    const mayRestore = state === 'previous' && permissions.has('templates');
    return [section(joinInline(title), mayRestore ? restore : undefined), quotation(text)];
  });
  const none = section(mrkdwn`This template has been deleted.`);
  return notice('Version history', ...banner(feedback), ...(rows.length === 0 ? [none] : rows));
}
