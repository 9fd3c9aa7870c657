import '@skyra/discord-components-core/discord-action-row.js';
import '@skyra/discord-components-core/discord-embed-description.js';
import { DiscordAuthorInfo } from '@skyra/discord-components-core/discord-author-info.js';
import { DiscordEmbed } from '@skyra/discord-components-core/discord-embed.js';
import { DiscordEmbedField } from '@skyra/discord-components-core/discord-embed-field.js';
import { DiscordEmbedFields } from '@skyra/discord-components-core/discord-embed-fields.js';
import { DiscordEmbedFooter } from '@skyra/discord-components-core/discord-embed-footer.js';
import { DiscordMention } from '@skyra/discord-components-core/discord-mention.js';
import { DiscordMessage } from '@skyra/discord-components-core/discord-message.js';
import { DiscordReply } from '@skyra/discord-components-core/discord-reply.js';
import { type CSSResult, css, type LitElement } from 'lit';

/**
 * The components have the colours of an older Discord, with no properties to change them, and their 'Dismiss message'
 * cannot be reached by keyboard. Lit reads `elementStyles` whenever an element is made, so a sheet that is added
 * here, before the first one, has the last word in every shadow root.
 */
function restyle(component: typeof LitElement, sheet: CSSResult): void {
  component.elementStyles = [...component.elementStyles, sheet];
}

/** Call once, before the first render. */
export function restyleComponents(): void {
  restyle(
    DiscordMessage,
    css`
      :host {
        color: var(--text);
        font-family: inherit;
        padding: 2px 48px 2px 16px;
        margin: 0;
      }
      :host([message-body-only]) {
        padding-block: 1px !important;
      }
      :host(:hover) {
        background: var(--hover);
      }
      :host([ephemeral]),
      :host([ephemeral]:hover) {
        background: var(--ephemeral);
        padding-right: 48px;
      }
      :host([highlight]),
      :host([highlight]:hover) {
        background: var(--called);
        padding-right: 48px;
      }
      .discord-author-avatar img {
        object-fit: cover;
        cursor: inherit;
      }
      .discord-message-content {
        min-width: 0;
      }
      .discord-message-body {
        line-height: 1.375rem;
      }
      .discord-message-timestamp {
        color: var(--text-muted);
        margin-left: 4px;
      }
      .discord-message-body-only-indent {
        flex: none;
        width: 40px;
        margin: 0 16px 0 0;
        font-size: 11px;
        text-align: right;
        white-space: nowrap;
      }
      .discord-message-ephemeral {
        display: none;
      }
    `,
  );
  restyle(
    DiscordAuthorInfo,
    css`
      :host .discord-author-username {
        color: var(--heading);
        cursor: inherit;
        font-weight: 500;
      }
      :host .discord-author-username:hover {
        text-decoration: none;
        cursor: inherit;
      }
      :host .discord-application-tag {
        margin-left: 4px;
        font-weight: 600;
      }
    `,
  );
  restyle(
    DiscordReply,
    css`
      .discord-replied-message-content {
        min-width: 0;
        overflow: hidden;
      }
      :host {
        color: var(--text-muted);
        font-family: inherit;
        font-size: 14px;
        margin-bottom: 2px;
        padding-top: 0;
      }
      :host::before {
        border-color: var(--spine);
      }
      :host .discord-replied-message-username {
        color: var(--text);
        opacity: 1;
      }
    `,
  );
  restyle(
    DiscordEmbed,
    css`
      :host {
        color: var(--text);
        font-size: 14px;
        line-height: 1.3;
        margin-block: 4px;
      }
      :host .discord-left-border {
        background-color: var(--embed-edge);
      }
      :host .discord-embed-wrapper {
        background: var(--embed);
        border: 0;
        max-width: min(520px, 100%);
      }
      :host(.listed) .discord-embed-root {
        flex: 0 1 520px;
      }
      :host(.listed) .discord-embed-wrapper {
        justify-self: stretch;
      }
      :host .discord-embed-wrapper .discord-embed-grid {
        /* Theirs gives half of a long footer's width to the empty column of the thumbnail. */
        grid-template-columns: minmax(0, 1fr) min-content;
        padding: 8px 16px 16px 12px;
      }
      :host .discord-embed-title,
      :host .discord-embed-author {
        color: var(--heading);
      }
    `,
  );
  restyle(
    DiscordEmbedFields,
    css`
      :host {
        grid-template-columns: repeat(12, minmax(0, 1fr));
      }
      /* A third of a phone's width breaks a seed: there, each field is as wide as its value. */
      @media (max-width: 760px) {
        :host {
          display: flex;
          flex-wrap: wrap;
        }
        ::slotted(*) {
          flex: 1 0 100%;
        }
        ::slotted([inline-index]) {
          flex: none;
          min-width: 72px;
          max-width: 100%;
        }
      }
    `,
  );
  restyle(
    DiscordEmbedField,
    css`
      :host .discord-field-title {
        color: var(--heading);
      }
    `,
  );
  restyle(
    DiscordEmbedFooter,
    css`
      :host {
        color: var(--text-muted);
        overflow-wrap: anywhere;
      }
    `,
  );
  restyle(
    DiscordMention,
    css`
      :host {
        color: var(--mention-text);
        background: var(--mention-back);
        cursor: inherit;
        transition: none;
      }
    `,
  );
}
