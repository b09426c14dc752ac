import { isDeepStrictEqual } from 'node:util';
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

/** A template as it was typed. The field of a sender that its route does not use is ignored. */
export interface TemplateForm {
  name: string;
  text: string;
  route: string | undefined;
  senderId?: string | undefined;
  /** In place of the sender ID on the chat route. */
  device?: string | undefined;
}

/** A sentence beside each field that is wrong. */
export type TemplateFaults = Partial<Record<keyof TemplateForm, string>>;

/** Who changes which version of a template; version 0 is a new one. */
export interface TemplateRef {
  workspaceId: string;
  userId: string;
  id: string;
  version: number;
}

/** The templates of messages, which a workspace shares. */
export function createTemplates({ store, audit, dialect }: Context) {
  const { templates } = store;
  const unicode = dialect.unicodeType !== undefined;

  /** Returns the templates whose name has this in it, sorted by name; all of them for an empty text. */
  async function list(workspaceId: string, part = ''): Promise<TemplateVersion[]> {
    const all = await templates.current(workspaceId);
    const found = all.filter(({ name }) => templateKey(name).includes(templateKey(part)));
    return found.sort((one, other) => one.name.localeCompare(other.name, 'en'));
  }

  async function write(
    { workspaceId, userId, id, version }: TemplateRef,
    content: TemplateContent,
    state: 'current' | 'deleted',
  ): Promise<TemplateWrite> {
    const written = await templates.save({ workspaceId, userId, id, version, content, state });
    if (written.kind === 'saved') {
      const verb = state === 'deleted' ? 'delete' : version === 0 ? 'create' : 'change';
      const details = { name: content.name };
      await audit.record({
        workspaceId,
        userId,
        action: `template.${verb}`,
        subject: id,
        outcome: 'done',
        details,
      });
    }
    return written;
  }

  /** Returns the versions of a template that are kept, also of a deleted one, the newest first. */
  const versions = (workspaceId: string, id: string) => templates.versions(workspaceId, id);

  return {
    list,
    versions,

    /** Whether the workspace has any. */
    areAny: (workspaceId: string) => templates.areAny(workspaceId),

    /** Returns a template by its id; undefined where it is deleted, or there has never been one. */
    async find(workspaceId: string, id: string): Promise<TemplateVersion | undefined> {
      const [newest] = await versions(workspaceId, id);
      return newest?.state === 'current' ? newest : undefined;
    },

    /** Saves what was typed as the next version, unless another one was saved meanwhile. */
    async save(ref: TemplateRef, form: TemplateForm): Promise<TemplateWrite | { faults: TemplateFaults }> {
      const read = readTemplateForm(form, unicode);
      if ('faults' in read) {
        return read;
      }
      const written = await write(ref, read.content, 'current');
      if (written.kind !== 'outdated') {
        return written;
      }
      // A form that is submitted twice is saved once.
      const [newest] = await versions(ref.workspaceId, ref.id);
      const isOwn = newest?.version === ref.version + 1 && newest.changedBy === ref.userId;
      return isOwn && isDeepStrictEqual({ ...newest, ...read.content }, newest)
        ? { kind: 'saved', saved: newest }
        : written;
    },

    /** Makes a former text the newest version, also of a deleted template. `ref` names the newest one. */
    async restore(ref: TemplateRef, former: number): Promise<TemplateWrite> {
      const kept = (await versions(ref.workspaceId, ref.id)).find(({ version }) => version === former);
      return kept === undefined ? { kind: 'outdated' } : write(ref, contentOf(kept), 'current');
    },

    /** Deletes a template. Its texts are kept for the retention time. */
    async remove(ref: TemplateRef): Promise<TemplateWrite> {
      const [newest] = await versions(ref.workspaceId, ref.id);
      return newest?.state === 'current' ? write(ref, contentOf(newest), 'deleted') : { kind: 'outdated' };
    },
  };
}

function contentOf({ name, text, route, senderId }: TemplateVersion): TemplateContent {
  return { name, text, route, senderId };
}

function readTemplateForm(
  form: TemplateForm,
  unicode: boolean,
): { content: TemplateContent } | { faults: TemplateFaults } {
  const name = form.name.trim();
  const route = readRoute(form.route);
  const senderId = senderOf(form, route);
  const read = readTemplate(form.text);
  const faults = definedFaults({
    ...checkSenderFields(senderId, route),
    name: faultOfName(name),
    text: read.ok ? checkTemplateText(read.template, { route, unicode }) : read.reason,
  });
  return route === undefined || Object.keys(faults).length > 0
    ? { faults }
    : { content: { name, text: form.text, route, senderId } };
}

function faultOfName(name: string): string | undefined {
  if (name === '') {
    return 'Name the template.';
  }
  if (name.length > maxTemplateName) {
    return `A name has at most ${maxTemplateName} characters.`;
  }
  return /[\r\n]/.test(name) ? 'A name has no line breaks.' : undefined;
}

/** Why a change was not saved, to follow the name of the field or of the template. */
export const unsavedReasons: Readonly<Record<Exclude<TemplateWrite['kind'], 'saved'>, string>> = {
  outdated: 'Somebody else changed or deleted this template meanwhile. Nothing was changed. Open it again.',
  name_taken: 'Another template has this name. Choose another one.',
  too_many: `A workspace has at most ${maxTemplates} templates. Delete one first.`,
};
