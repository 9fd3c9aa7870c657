import type { APIAttachment, APIMessage, APIUnfurledMediaItem } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { icons } from './icons.ts';
import { steadySource } from './steady-picture.ts';
import { localUrl } from './urls.ts';
import type { View } from './view.ts';

/** An image that the lightbox shows. Sizes in pixels. */
export interface Photo {
  url: string;
  alt: string;
  name: string;
  width: number | null;
  height: number | null;
  /** Until it is revealed. */
  covered?: boolean;
}

/** Shows these in the lightbox, first the one at this place. */
export type OpenPhotos = (photos: Photo[], at: number) => void;

/** Of one picture in a message, in pixels, as in Discord's client. */
const MAX_SIZE = { width: 550, height: 350 };
const IS_SPOILER = 1 << 3;

/** A picture of an embed or a component. */
export function photoOf(
  { url, width = null, height = null }: Pick<APIUnfurledMediaItem, 'url' | 'width' | 'height'>,
  alt: string,
  covered = false,
): Photo {
  const name = new URL(url, location.href).pathname.split('/').at(-1) || 'picture';
  return { url: localUrl(url), alt, name, width, height, covered };
}

function attachedPhoto(attachment: APIAttachment): Photo {
  const { description, title, filename } = attachment;
  return { ...photoOf(attachment, description ?? '', isSpoiler(attachment)), name: title ?? filename };
}

export function isPhoto(attachment: APIAttachment): boolean {
  return (
    attachment.content_type?.startsWith('image/') ?? /\.(png|jpe?g|gif|webp|avif)$/i.test(attachment.filename)
  );
}

function isSpoiler(attachment: APIAttachment): boolean {
  return attachment.filename.startsWith('SPOILER_') || ((attachment.flags ?? 0) & IS_SPOILER) !== 0;
}

/** Pictures of one message with the same description are told apart by their number. */
const apart = ({ words }: View, photos: Photo[]): Photo[] =>
  photos.map((photo, at) =>
    photos.some((other) => other !== photo && other.alt === photo.alt && photo.alt)
      ? { ...photo, alt: words.picture.nth(photo.alt, at + 1, photos.length) }
      : photo,
  );

/** Bytes in each unit, largest first. */
const UNITS: readonly [string, number][] = [
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
];

/** `1.4 MB`, `2 bytes`. */
export function fileSize(locale: string, bytes: number): string {
  const [unit, size] = UNITS.find(([, length]) => bytes >= length) ?? ['byte', 1];
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: bytes >= 1e6 ? 1 : 0,
  }).format(bytes / size);
}

/**
 * A picture that opens in the lightbox, scaled to fit `limit`. Its size is set so that nothing moves when it loads,
 * and one that is exchanged stays until the next one is there.
 */
export function thumbnail({ words }: View, photo: Photo, open: () => void, limit = MAX_SIZE): TemplateResult {
  const { width, height } = photo;
  const scale = width && height ? Math.min(1, limit.width / width, limit.height / height) : 1;
  return html`<button
    class="photo"
    type="button"
    aria-label=${words.picture.open(photo.alt || photo.name)}
    ?inert=${photo.covered ?? false}
    @click=${open}
  >
    <img
      src=${steadySource(photo.url)}
      alt=${photo.alt}
      title=${photo.alt || nothing}
      width=${width ? Math.round(width * scale) : nothing}
      height=${height ? Math.round(height * scale) : nothing}
    />
  </button>`;
}

/** Its address without the signature, which is another one in every answer. */
const fileOf = ({ url }: Photo) => new URL(url, location.href).pathname;

/** A picture that neither the eye nor the keyboard reaches before it is revealed. */
function spoilered(view: View, photo: Photo, open: () => void): TemplateResult {
  const reveal = ({ currentTarget: cover }: Event) => {
    if (!(cover instanceof HTMLElement)) return;
    const picture = cover.parentElement?.querySelector<HTMLElement>('.photo');
    cover.parentElement?.classList.remove('covered');
    if (picture) picture.inert = false;
    picture?.focus();
  };
  return html`<div class="covered">
    ${thumbnail(view, photo, open)}
    <button class="cover" type="button" @click=${reveal}><span>${view.words.messages.spoiler}</span></button>
  </div>`;
}

/** `size` in bytes. */
export function renderFile(
  { locale }: View,
  { url, name, size }: { url: string; name: string; size: number },
): TemplateResult {
  return html`<div class="file">
    ${icons.file}
    <div class="file-name">
      <a class="link" href=${localUrl(url)} download=${name}>${name}</a>
      <small>${fileSize(locale, size)}</small>
    </div>
  </div>`;
}

export function renderPhotos(view: View, pictures: Photo[], openPhotos: OpenPhotos): TemplateResult {
  const photos = apart(view, pictures);
  // Who steps through the others does not come upon one that is covered.
  const shown = photos.filter(({ covered }) => !covered);
  return html`<div class=${photos.length > 1 ? 'photos many' : 'photos'}>
    ${photos.map((photo) =>
      photo.covered
        ? keyed(
            fileOf(photo),
            spoilered(view, photo, () => openPhotos([photo], 0)),
          )
        : thumbnail(view, photo, () => openPhotos(shown, shown.indexOf(photo))),
    )}
  </div>`;
}

/** The files of a message: its pictures, then the others. */
export function renderAttachments(view: View, { attachments }: APIMessage, openPhotos: OpenPhotos) {
  const photos = attachments.filter(isPhoto).map(attachedPhoto);
  const files = attachments.filter((attachment) => !isPhoto(attachment));
  return html`${photos.length > 0 ? renderPhotos(view, photos, openPhotos) : nothing}
  ${files.map((file) => renderFile(view, { ...file, name: file.filename }))}`;
}
