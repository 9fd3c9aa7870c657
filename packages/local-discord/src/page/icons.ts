import { html, svg, type TemplateResult } from 'lit';

const icon = (path: TemplateResult | TemplateResult[]) =>
  html`<svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">${path}</svg>`;
const stroke = (d: string) =>
  icon(
    svg`<path d=${d} fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" />`,
  );
const fill = (d: string) => icon(svg`<path d=${d} fill="currentColor" fill-rule="evenodd" />`);

/** Drawn for this page; each takes the colour of the text around it. */
export const icons = {
  hash: stroke('M9.5 4 7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16'),
  forum: stroke('M4 4h12v8H9l-4 3v-3H4V4ZM9 15v2h7l4 3v-3h1V9h-2'),
  voice: stroke('M4 9.5v5h3.5L12 19V5L7.5 9.5H4ZM15.5 9a4 4 0 0 1 0 6M18 6.5a7.5 7.5 0 0 1 0 11'),
  announcements: stroke('M4 10v4l11 5V5L4 10ZM6.5 15l1.5 5h3l-1.2-3.5M18.5 9.5a3.5 3.5 0 0 1 0 5'),
  thread: stroke('M6 4v9a3 3 0 0 0 3 3h10M15 12l4 4-4 4'),
  warning: stroke('M12 4 2.8 20h18.4L12 4ZM12 10v4.5M12 17.4v.1'),
  chat: fill(
    'M12 3C6.5 3 2 6.8 2 11.5c0 2.6 1.4 5 3.7 6.5L5 21.5l4.3-2c.9.2 1.8.3 2.7.3 5.5 0 10-3.7 10-8.3S17.5 3 12 3Z',
  ),
  members: fill(
    'M9 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0 1.5c-4 0-7 2-7 4.7V20h14v-1.8c0-2.7-3-4.7-7-4.7ZM16.5 12a3.2 3.2 0 1 0-1-6.2 6 6 0 0 1-.4 5.9c.4.2.9.3 1.4.3Zm1 1.6c1 1.2 1.5 2.7 1.5 4.2V20h3v-1.6c0-2.4-1.8-4.3-4.5-4.8Z',
  ),
  menu: stroke('M4 6h16M4 12h16M4 18h16'),
  close: stroke('M5 5l14 14M19 5 5 19'),
  send: fill('M3 20.5v-7L13 12 3 10.5v-7l19 8.5-19 8.5Z'),
  download: stroke('M12 3v12m0 0 5-5m-5 5-5-5M4 20h16'),
  open: stroke('M14 4h6v6M20 4l-9 9M17 13.5V19a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h5.5'),
  copy: stroke('M9 9h11v11H9zM15 9V5a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h4'),
  check: stroke('m5 12.5 5 5L19.5 7'),
  eye: stroke(
    'M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12Zm10 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  ),
  eyeOff: stroke(
    'M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12Zm10 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 20 20 4',
  ),
  file: stroke('M6 3h8l5 5v12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Zm8 0v5h5'),
  attach: stroke('M12 5v14M5 12h14'),
  left: stroke('m15 5-7 7 7 7'),
  right: stroke('m9 5 7 7-7 7'),
  apps: fill(
    'M5 4h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1Zm0 10h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-4a1 1 0 0 1 1-1Zm10-10h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1Zm0 10h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1v-4a1 1 0 0 1 1-1Z',
  ),
  slash: stroke('M6 3h12a3 3 0 0 1 3 3v12a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3Zm8.5 4-5 10'),
};
