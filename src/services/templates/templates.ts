import { isDeepStrictEqual } from 'node:util';
import { textToSend } from '../../domain/messages/accents.ts';
import {
  checkSenderFields,
  checkTemplateText,
  definedFaults,
  senderOf,
} from '../../domain/messages/message-checks.ts';
import { maxTemplateName, templateKey } from '../../domain/messages/named-templates.ts';
import { readRoute } from '../../domain/messages/routes.ts';
import { readTemplate } from '../../domain/messages/template.ts';
import {
  maxTemplates,
  type TemplateContent,
  type TemplateVersion,
  type TemplateWrite,
} from '../../store/workspaces/templates.ts';
import type { Context } from '../context.ts';
import type { SenderIdService } from '../sender-ids/sender-id-service.ts';

/** A template as typed. The sender is ignored on a route that doesn't use it. */
interface TemplateForm {
  name: string;
  text: string;
  route: string | undefined;
  senderId?: string | undefined;
  /** In place of the sender ID on the chat route. */
  device?: string | undefined;
  /** Whether it is sent without accents. */
  withoutAccents?: boolean | undefined;
}

/** Who changes which version of a template; version 0 is a new one. */
interface TemplateRef {
  workspaceId: string;
  userId: string;
  id: string;
  version: number;
}

/** The templates of messages, which a workspace shares. */
export function createTemplates(
  { store: { templates }, dialect }: Context,
  { senderIds }: { senderIds: Pick<SenderIdService, 'activeFor'> },
) {
  async function write(ref: TemplateRef, content: TemplateContent, state: 'current' | 'deleted' = 'current') {
    const { workspaceId, userId, id, version } = ref;
    return templates.save({ workspaceId, userId, id, version, content, state });
  }

  /** Once the provider takes all text, nothing is sent without its accents. */
  const asUsed = (template: TemplateVersion): TemplateVersion =>
    dialect.unicodeType === undefined ? template : { ...template, withoutAccents: false };

  return {
    /** Returns the templates with this in their name, sorted by name. */
    async list(workspaceId: string, part = ''): Promise<TemplateVersion[]> {
      const all = await templates.current(workspaceId);
      const found = all.filter(({ name }) => templateKey(name).includes(templateKey(part)));
      return found.map(asUsed).sort((one, other) => one.name.localeCompare(other.name, 'en'));
    },

    /** Whether the workspace has any. */
    areAny: templates.areAny,

    /** Returns the versions of a template that are kept, also of a deleted one, the newest first. */
    versions: templates.versions,

    /** Returns a template by its id; undefined where it is deleted, or there has never been one. */
    async find(workspaceId: string, id: string): Promise<TemplateVersion | undefined> {
      const [newest] = await templates.versions(workspaceId, id);
      return newest?.state === 'current' ? asUsed(newest) : undefined;
    },

    /** Saves a template's next version, unless somebody else saved one meanwhile. Saving the same twice changes nothing. */
    async save(ref: TemplateRef, form: TemplateForm) {
      const read = readTemplateForm(form, {
        unicode: dialect.unicodeType !== undefined,
        active: await senderIds.activeFor(ref.workspaceId, form),
      });
      if ('faults' in read) {
        return read;
      }
      const written = await write(ref, read.content);
      const [newest] = written.kind === 'outdated' ? await templates.versions(ref.workspaceId, ref.id) : [];
      const changed = { ...newest, ...read.content, version: ref.version + 1, changedBy: ref.userId };
      return newest !== undefined && isDeepStrictEqual(newest, changed)
        ? { kind: 'saved' as const, saved: newest }
        : written;
    },

    /** Makes an earlier version the newest, also of a deleted template. `ref` names the newest one. */
    async restore(ref: TemplateRef, previous: number): Promise<TemplateWrite> {
      const versions = await templates.versions(ref.workspaceId, ref.id);
      const kept = versions.find(({ version }) => version === previous);
      return kept === undefined ? { kind: 'outdated' } : write(ref, contentOf(kept));
    },

    /** Deletes a template. Its texts are kept for the retention time. */
    async remove(ref: TemplateRef): Promise<TemplateWrite> {
      const [newest] = await templates.versions(ref.workspaceId, ref.id);
      return newest?.state === 'current' ? write(ref, contentOf(newest), 'deleted') : { kind: 'outdated' };
    },
  };
}

function contentOf({ name, text, withoutAccents, route, senderId }: TemplateVersion): TemplateContent {
  return { name, text, withoutAccents, route, senderId };
}

/** Each fault is a sentence to show beside its field. */
type ReadForm = { faults: { [Name in keyof TemplateForm]?: string } } | { content: TemplateContent };

function readTemplateForm(
  form: TemplateForm,
  { unicode, active }: { unicode: boolean; active: readonly string[] },
): ReadForm {
  const name = form.name.trim();
  const route = readRoute(form.route);
  const senderId = senderOf(form, route);
  const withoutAccents = form.withoutAccents === true && !unicode;
  const read = readTemplate(textToSend(form.text, withoutAccents).text);
  const isName = name !== '' && name.length <= maxTemplateName && !/[\r\n]/.test(name);
  const faults = definedFaults({
    ...checkSenderFields(senderId, route, active),
    name: isName ? undefined : `Name the template, in one line of at most ${maxTemplateName} characters.`,
    text: read.ok ? checkTemplateText(read.template, { route, unicode }) : read.reason,
  });
  return route === undefined || Object.keys(faults).length > 0
    ? { faults }
    : { content: { name, text: form.text, withoutAccents, route, senderId } };
}

/** Why a change was not made. */
export const unsavedReasons: Readonly<Record<Exclude<TemplateWrite['kind'], 'saved'>, string>> = {
  outdated:
    'Somebody else changed or deleted this template in the meantime. Nothing was changed. Open it again.',
  name_taken: 'Another template has this name. Choose another one.',
  too_many: `A workspace has at most ${maxTemplates} templates. Delete one first.`,
};
