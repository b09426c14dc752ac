import type { Button, ModalView } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { senderFields } from '../../../domain/messages/message-checks.ts';
import { maxTemplateName } from '../../../domain/messages/named-templates.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import { routes } from '../../../domain/messages/routes.ts';
import { unsavedReasons } from '../../../services/templates/templates.ts';
import { actions, button, section } from '../../block-kit/build.ts';
import { lengthOfTemplate, templateLengthBlocks } from '../../block-kit/descriptions/warnings.ts';
import { pageIndicator, viewPageOf } from '../../block-kit/paging.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { routeField, senderField, textField } from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import { byPage, defineList } from '../../kit/list.ts';
import { saved } from '../../kit/settings.ts';
import { chosenTemplate, fieldsOfTemplate } from '../../kit/template-field.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { ActionRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Navigation, Viewer } from '../../navigation/navigation.ts';
import { templateActions, templateRefSchema, templateVersionsView, templateView } from './views.ts';

type Context = Pick<AppContext, 'services'>;

/** The templates of messages: everyone who may send uses them, and those with the permission change them. */
export function registerTemplates(router: Router, context: AppContext): void {
  const { templates, messages } = context.services;
  const list = defineTemplateList(context);
  const form = defineTemplateForm(context);
  list.register(router);
  form.register(router);
  const refOf = ({ value }: ActionRequest) => templateRefSchema.parse(JSON.parse(value));

  router.action(templateActions.open, 'send', async ({ user, value, push }) => {
    await push(await viewOf(context, user, value));
  });

  router.action(templateActions.use, 'send', async (call) => {
    const { user, requestId, push } = call;
    const begin = fieldsOfTemplate(await chosenTemplate(context, user, refOf(call).id));
    const draftId = idempotencyKey(user.workspaceId, requestId);
    await push(await context.navigation.messageForm(user, { recipients: '', ...begin }, { draftId }));
  });

  router.action(templateActions.add, 'templates', async ({ user, requestId, push }) => {
    const id = idempotencyKey(user.workspaceId, requestId, 'template');
    const { device = '', ...begin } = await messages.prefill(user.workspaceId, user.userId);
    await push(await form.view(user, { id, version: 0 }, { given: { ...begin, device } }));
  });

  router.action(templateActions.change, 'templates', async (call) => {
    const template = await chosenTemplate(context, call.user, refOf(call).id);
    const { id, version, name, text, route } = template;
    const given = { name, text, route, ...senderFields(template) };
    await call.show(await form.view(call.user, { id, version }, { given }));
  });

  router.action(templateActions.versions, 'send', async (call) => {
    await call.push(await versionsOf(context, call.user, refOf(call).id));
  });

  router.action(templateActions.restore, 'templates', async (call) => {
    const { id, version, former = 0 } = refOf(call);
    const { kind } = await templates.restore({ ...call.user, id, version }, former);
    const said = kind === 'saved' ? saved : mrkdwn`${stateIcons.failed} ${unsavedReasons[kind]}`;
    await call.show(await versionsOf(context, call.user, id, said));
  });

  router.action(templateActions.remove, 'templates', async (call) => {
    const { id, version } = refOf(call);
    const written = await templates.remove({ ...call.user, id, version });
    if (written.kind !== 'saved') {
      throw new UserError(mrkdwn`${unsavedReasons[written.kind]}`);
    }
    const value = JSON.stringify({ id, version: written.saved.version });
    const said = [
      section(mrkdwn`${stateIcons.done} *${written.saved.name}* is deleted.`),
      actions('deleted', button(templateActions.versions, 'Former texts', { value })),
    ];
    await call.show(await list.view(call.user, list.start({}, undefined), { said }));
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
    fields: { part: textField('Part of a name', { max: maxTemplateName, optional: true, live: 'enter' }) },
    paging: byPage,
    async read({ workspaceId }, { form, position }) {
      const found = await templates.list(workspaceId, form.part);
      const { shown, ...neighbours } = viewPageOf(
        found,
        { ...position, page: 0 },
        { last: true, most: perPage },
      );
      return {
        kind: 'listed',
        rows: shown.map(({ id, name, route, senderId }) =>
          section(
            mrkdwn`*${name}*\nFrom ${senderId}, ${routes[route].title}`,
            button(templateActions.open, 'Open', { value: id }),
          ),
        ),
        empty: form.part.trim() === '' ? mrkdwn`No templates yet.` : mrkdwn`No results.`,
        about: pageIndicator({
          number: Math.floor(position.from / perPage),
          totalPages: Math.ceil(found.length / perPage),
          totalElements: found.length,
        }),
        neighbours,
      };
    },
    buttons: ({ permissions }): Button[] =>
      permissions.has('templates') ? [button(templateActions.add, 'New template', { style: 'primary' })] : [],
  });
}

/** Returns a template as it is now. */
async function viewOf(context: Context, user: Viewer, id: string, said?: Markup): Promise<ModalView> {
  const { workspaces, costs, optOutAddress } = context.services;
  const { workspaceId, permissions } = user;
  const template = await chosenTemplate(context, user, id);
  const { route, text } = template;
  const { country } = await workspaces.defaults(workspaceId);
  const { pages } = countPages(lengthOfTemplate(text, optOutAddress).counted);
  const cost = await costs.estimate(workspaceId, { route, pages: { [country]: pages } });
  return templateView({ template, cost, country, optOutAddress }, permissions, said);
}

async function versionsOf(
  { services: { templates } }: Context,
  { workspaceId, permissions }: User,
  id: string,
  said?: Markup,
): Promise<ModalView> {
  const versions = await templates.versions(workspaceId, id);
  if (versions.length === 0) {
    throw new UserError(mrkdwn`This template is no longer kept.`);
  }
  return templateVersionsView(versions, permissions, said);
}

const plainTextAction = 'template_plain_text';

const fields = {
  name: textField('Name', { max: maxTemplateName, hint: 'What people type to use it.' }),
  text: textField('Message', {
    multiline: true,
    live: 'character',
    hint: 'Columns of a campaign: {{first_name}}. With a fallback: {{first_name|there}}.',
  }),
  device: textField('Device', { max: 2000, hint: 'The name of your device, shown as the sender.' }),
  senderId: senderField(),
  route: routeField(),
};

function defineTemplateForm(context: Context) {
  const { templates, unicode, optOutAddress } = context.services;
  return defineForm({
    id: 'template_form',
    title: ({ meta }) => (meta.version === 0 ? 'New template' : 'Template'),
    submit: 'Save',
    needs: 'templates',
    meta: z.object({ id: z.string(), version: z.number().int().min(0) }),
    fields,
    when: { device: ({ route }) => route === 'chatapp', senderId: ({ route }) => route !== 'chatapp' },
    notes: {
      text: ({ form: { text, route } }) =>
        templateLengthBlocks(text, { route, unicode, optOutAddress, replaceAction: plainTextAction }),
    },
    replaces: { text: { action: plainTextAction, by: ({ text }) => toPlainText(text) } },
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
