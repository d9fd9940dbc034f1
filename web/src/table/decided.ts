import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Plan, Table } from "../engine/protocol.js";
import { planFor, type Loaded } from "../file/loaded.js";
import { Panel, prop, sentence } from "../panel/panel.js";
import { encode, parse, type Spec } from "../state/spec.js";
import { quantity } from "../text/phrase.js";
import { measured, models } from "../text/strings.js";
import { leader } from "../training/standing.js";
import type { Training } from "../training/training.js";
import { oddities, targetOf, withTarget } from "./roles.js";
import { others } from "./target.js";
import { decided as strings } from "./strings.js";

type Cut = Pick<Spec, "split" | "by">;

/** What a run took and decided, in a line above its curve, and the press that makes it another. */
class Decided extends Panel {
  @prop accessor spec!: Spec;
  @prop accessor loaded!: Loaded;
  @prop accessor training!: Training;
  @property({ type: Boolean }) accessor stale!: boolean;

  private line: { readonly query: string; readonly plan: Plan } | null = null; // of the run
  private readonly cuts = new Map<string, Cut>(); // of runs, by their queries, which may leave open by which column

  protected override willUpdate(): void {
    const plan = planFor(this.loaded, this.spec);
    const { query } = this.training;
    if (!this.stale && plan) {
      this.line = { query, plan };
      this.cuts.set(query, plan);
    } else if (this.line?.query !== query) this.line = null;
  }

  protected override render(): TemplateResult {
    const { table } = this.loaded;
    const plan = this.line?.plan;
    const odd = plan ? oddities(plan) : [];
    return html`<div class="decided" id="decided" tabindex="-1">
      <p>
        ${plan && table ? html`<span class="line">${says(plan)}</span>` : nothing}
        <a href="#roles">${odd.length > 0 ? strings.look(odd.length) : strings.columns}</a>
        ${table ? this.instead(table) : nothing}
        ${this.stale ? html`<span class="note">${strings.changed}</span> <button ?disabled=${!this.loaded.plan} @click=${() => this.tell("ifm-run", { run: "table", command: "again" })}>${strings.again}</button>` : nothing}
      </p>
      ${plan ? this.splits(plan) : nothing}
    </div>`;
  }

  private instead(table: Table): TemplateResult {
    const { spec, loaded } = this;
    const take = (column: string): void => this.tell("ifm-train", withTarget(table, spec, loaded, column));
    return html`<ifm-target .label=${strings.instead} .names=${others(table, targetOf(table, spec, loaded))} .take=${take}></ifm-target>`;
  }

  /** What another split would say, or says. */
  private splits({ split, by }: Plan): TemplateResult | typeof nothing {
    const { phase, lines, ghost, query, started } = this.training;
    if (phase !== "done") return split === "random" && (!ghost || parse(ghost.query).spec.split === "random") ? nothing : html`<p class="note beside"></p>`;
    const [now, before] = [leader(lines), ghost ? leader(ghost.lines) : undefined];
    const was = ghost ? parse(ghost.query).spec : null;
    const is = parse(query).spec;
    const same = { split, by, categorical: [], numeric: [] } as const; // kinds are chosen for each split
    const alike = was !== null && encode({ ...was, ...same }) === encode({ ...is, ...same });
    const cut = (ghost && this.cuts.get(ghost.query)) ?? was; // as it was done, where that is known
    const compared = now && before && cut && alike && (was.split !== is.split || was.by !== is.by) ? strings.compared(measured[started?.measure ?? "rmse"], models[before.model], quantity(before.model, before.kept), strings.split(cut.split, cut.by), models[now.model], quantity(now.model, now.kept), strings.split(split, by)) : null;
    if (split === "random") {
      if (!compared || !was || !cut) return nothing;
      return html`<p class="note beside" data-note="split"><span>${sentence(compared)}</span> <button @click=${() => this.cut(was)}>${strings.back(cut.split, cut.by)}</button></p>`;
    }
    const known = compared !== null && cut?.split === "random";
    return html`<p class="note beside" data-note="split">
      <span>${compared ? sentence(compared) : nothing} ${known ? nothing : strings.would(split, by)}</span>
      ${known ? nothing : html`<button @click=${this.compare}>${strings.random}</button>`}
    </p>`;
  }

  /** With the run that is over as faint lines. */
  private readonly compare = (): void => {
    this.tell("ifm-view", { ghost: "1" });
    this.cut({ split: "random", by: "" });
  };

  /** The button that asks for it goes: the focus moves to what was decided. */
  private cut({ split, by }: Cut): void {
    this.querySelector<HTMLElement>("#decided")?.focus({ preventScroll: true });
    this.tell("ifm-train", { split, by });
  }
}

function says({ target, learnt, roles, kinds, split, by }: Plan): string {
  const of = (role: Plan["roles"][number]): number => roles.filter((r) => r === role).length;
  const categories = roles.filter((role, i) => role === "feature" && kinds[i] === "categorical").length;
  return strings.line(target, learnt, of("feature"), categories, of("ignore"), strings.split(split, by));
}

customElements.define("ifm-decided", Decided);
