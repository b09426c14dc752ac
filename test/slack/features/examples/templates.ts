import fc from 'fast-check';
import { permissionsOf } from '../../../../src/domain/access/roles.ts';
import { mrkdwn } from '../../../../src/slack/block-kit/text.ts';
import { templateVersionsView, templateView } from '../../../../src/slack/features/templates/templates.ts';
import type { TemplateVersion } from '../../../../src/store/workspaces/templates.ts';
import { at, drawn, type Examples } from '../../../support/slack/example-words.ts';

const permissions = permissionsOf(['sender']);

export const templates: Examples = ({ typed, name }) => {
  const route = fc.constantFrom('generic' as const, 'chatapp' as const);
  const given = {
    name: name.map((text) => text.slice(0, 60)),
    text: typed.filter((text) => text.trim() !== ''),
    route,
  };
  const versionOf = (content: { name: string; text: string; route: TemplateVersion['route'] }) => ({
    id: 'template',
    version: 20,
    state: 'current' as const,
    senderId: 'PalmMarket',
    withoutAccents: true,
    changedBy: 'U0AGENT',
    changedAt: at,
    ...content,
  });
  return {
    templateView: drawn(given, (content) => {
      const template = versionOf({ ...content, text: `${content.text} {{name|you}}` });
      const shown = {
        counted: content.text,
        isLonger: true,
        price: mrkdwn`Cost: about ₦4`,
        feedback: mrkdwn`Saved.`,
      };
      return templateView(template, permissions, shown);
    }),
    templateVersionsView: drawn(given, (content) => {
      const newest = versionOf(content);
      const versions = Array.from(
        { length: 20 },
        (_, index): TemplateVersion =>
          index === 0 ? newest : { ...newest, version: 20 - index, state: 'previous' },
      );
      return templateVersionsView(versions, permissions, mrkdwn`Saved.`);
    }),
  };
};
