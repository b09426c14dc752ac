import { exampleOptOutLink } from './opt-out-link.ts';
import { countPages } from './pages.ts';

/** What an opt-out link adds to a message. */
export interface OptOutCost {
  /** The length of the link, in characters. */
  length: number;
  pages: number;
  pagesWithout: number;
  /** Whether its `//` is the reason why a page has fewer characters. */
  hasFewerPerPage: boolean;
  /** The pages where the link began without `https://`. */
  pagesWithoutScheme: number;
}

/** Returns undefined for a text without a link that begins with `address`. */
export function costOfOptOutLink(text: string, address: string): OptOutCost | undefined {
  const link = exampleOptOutLink(address);
  if (!text.includes(link)) {
    return undefined;
  }
  const now = countPages(text);
  const without = countPages(text.replaceAll(link, ''));
  return {
    length: link.length,
    pages: now.pages,
    pagesWithout: without.pages,
    hasFewerPerPage: now.perPage < without.perPage,
    pagesWithoutScheme: countPages(text.replaceAll(link, link.replace(/^https?:\/\//, ''))).pages,
  };
}
