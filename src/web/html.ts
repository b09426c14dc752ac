/** A piece of HTML that is safe to send. Only `html` creates it, and escapes every interpolated value. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type Piece = string | number | Html | readonly Html[] | undefined;

/**
 * A tagged template for HTML. The template itself is HTML; interpolated text is shown literally, in an element or between
 * the quotes of an attribute. Interpolated Html is inserted as it is.
 */
export function html(strings: TemplateStringsArray, ...values: Piece[]): Html {
  return new Html(strings.reduce((source, part, index) => `${source}${insert(values[index - 1])}${part}`));
}

function insert(value: Piece): string {
  if (value === undefined) {
    return '';
  }
  if (value instanceof Html) {
    return value.source;
  }
  return typeof value === 'object'
    ? value.map(({ source }) => source).join('')
    : String(value).replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
