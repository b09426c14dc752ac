import { tableOf } from './markdown.ts';
import { unreadable } from './records.ts';

/** The documentation of one endpoint. */
export interface Chapter {
  readonly section: string;
  readonly text: string;
  readonly method: string;
  readonly path: string;
  /** The query in the endpoint, such as `page=<int>&size=<int>`. */
  readonly query: string;
}

/** The endpoints of §4: a section each, a row of a table in §4.12, a paragraph in §4.13. */
export function chaptersOf(sections: ReadonlyMap<string, string>): Chapter[] {
  return [...sections].flatMap(([section, text]) => {
    if (!section.startsWith('4.')) {
      return [];
    }
    if (section === '4.12') {
      return phonebookChapters(text);
    }
    if (section !== '4.13') {
      return [chapter(section, text)];
    }
    const paragraphs = text.split(/^(?=4\.13\.\d+ )/m).slice(1);
    return paragraphs.map((paragraph) => chapter(/^[\d.]+/.exec(paragraph)?.[0] ?? section, paragraph));
  });
}

function phonebookChapters(text: string): Chapter[] {
  const paragraphs = text.split('\n\n');
  return tableOf(text).map(([label = '', endpoint = '']) => {
    const about = paragraphs.filter((paragraph) => paragraph.startsWith(label)).join('\n\n');
    return { ...chapter('4.12', endpoint), text: about };
  });
}

function chapter(section: string, text: string): Chapter {
  const endpoint = /`(GET|POST|DELETE) ([^`?]+)\??([^`]*)`/.exec(text);
  const [, method = '', path = '', query = ''] = endpoint ?? unreadable(`§${section} has no endpoint`);
  return { section: `§${section}`, text, method, path, query };
}
