//! Pictures, each as SVG and as PNG.

mod bars;
mod crossing;
mod heat;
mod lines;

use crate::contender::{OURS, Role};
use crate::failure::Failure;
use crate::files;
use crate::record::Record;
use plotters::coord::{CoordTranslate, Shift};
use plotters::prelude::*;
use plotters::style::register_font as register;
use std::path::Path;

pub(crate) use crossing::{Crossing, crossing};

const FONT: &str = "sans-serif";

/// Pixels.
const SIZE: (u32, u32) = (1280, 800);

/// Okabe and Ito's colours, which the colour-blind can tell apart; ours has the strongest to itself.
const OURS_COLOUR: RGBColor = RGBColor(213, 20, 40);
const PEER_COLOURS: [RGBColor; 6] = [
    RGBColor(0, 90, 178),
    RGBColor(0, 158, 115),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(204, 121, 167),
    RGBColor(90, 60, 20),
];
/// Paler, and thinner: variants are there to be found, not to be seen first.
const VARIANT_COLOURS: [RGBColor; 11] = [
    RGBColor(240, 140, 140),
    RGBColor(150, 160, 230),
    RGBColor(120, 200, 170),
    RGBColor(220, 180, 110),
    RGBColor(170, 170, 170),
    RGBColor(200, 140, 220),
    RGBColor(130, 190, 220),
    RGBColor(190, 200, 90),
    RGBColor(150, 120, 100),
    RGBColor(240, 160, 200),
    RGBColor(100, 120, 120),
];
const LIMIT_COLOUR: RGBColor = RGBColor(30, 30, 30);

/// How one contender is drawn.
#[derive(Clone, Copy, Debug)]
struct Pen {
    colour: RGBColor,
    width: u32,
}

/// The pen of each participant: ours thick and red, peers in strong colours, variants in pale ones.
fn pens(record: &Record) -> Vec<(String, Role, Pen)> {
    let (mut peers, mut variants) = (PEER_COLOURS.iter().cycle(), VARIANT_COLOURS.iter().cycle());
    let mut pen = |role: Role| match role {
        Role::Ours => Pen { colour: OURS_COLOUR, width: 5 },
        Role::Limit => Pen { colour: LIMIT_COLOUR, width: 1 },
        Role::Peer => Pen { colour: *peers.next().unwrap_or(&BLACK), width: 2 },
        Role::Variant | Role::Classic => Pen { colour: *variants.next().unwrap_or(&BLACK), width: 1 },
    };
    record.contenders.iter().map(|p| (p.name.clone(), p.role, pen(p.role))).collect()
}

/// Contenders in the order in which they are drawn: ours last, on top of all others.
fn back_to_front(record: &Record) -> Vec<(String, Role, Pen)> {
    let mut all = pens(record);
    all.sort_by_key(|(name, role, _)| (name == OURS, *role == Role::Peer));
    all
}

/// Makes the font known under the name that all pictures use.
fn register_font() -> Result<(), Failure> {
    let known = register(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT);
    known.map_err(|_| Failure::negative("the built-in font cannot be read: no pictures are drawn"))
}

/// A figure for both kinds of file: the same drawing on two backends.
trait Picture {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), String>;
}

fn save(folder: &Path, name: &str, picture: &impl Picture) -> Result<(), Failure> {
    files::whole(&folder.join(format!("{name}.svg")), |path| {
        let area = SVGBackend::new(path, SIZE).into_drawing_area();
        picture.draw(&area)?;
        area.present().map_err(drawing)
    })?;
    files::whole(&folder.join(format!("{name}.png")), |path| {
        let area = BitMapBackend::new(path, SIZE).into_drawing_area();
        picture.draw(&area)?;
        area.present().map_err(drawing)
    })
}

/// Every picture that the cells of a run make.
pub(crate) fn run(folder: &Path, record: &Record) -> Result<(), Failure> {
    files::folder(folder)?;
    register_font()?;
    let mut routines: Vec<_> = record.cells.iter().map(|c| c.routine).collect();
    routines.dedup();
    for routine in routines {
        if let Some(picture) = lines::Throughput::of(record, routine) {
            save(folder, &format!("{routine}-throughput"), &picture)?;
        }
        if let Some(picture) = heat::Offsets::of(record, routine) {
            save(folder, &format!("{routine}-offsets"), &picture)?;
        }
        if let Some(picture) = bars::Mixes::of(record, routine) {
            save(folder, &format!("{routine}-mixes"), &picture)?;
        }
    }
    Ok(())
}

/// A backend's error, whichever backend it is.
fn drawing(error: impl core::fmt::Display) -> String {
    error.to_string()
}

/// The names of all series in a box.
fn legend<'a, B: DrawingBackend + 'a, C: CoordTranslate>(
    chart: &mut ChartContext<'a, B, C>,
    position: SeriesLabelPosition,
) -> Result<(), String> {
    chart
        .configure_series_labels()
        .position(position)
        .margin(16)
        .legend_area_size(38)
        .background_style(WHITE.mix(0.9))
        .border_style(RGBColor(200, 200, 200))
        .label_font((FONT, 18))
        .draw()
        .map_err(drawing)
}

/// Pixels for the names beside a picture.
const KEY_WIDTH: i32 = 150;

/// Names with their pens in an area of their own, where they hide nothing.
fn key<B: DrawingBackend>(area: &DrawingArea<B, Shift>, names: &[(&str, Pen)]) -> Result<(), String> {
    for (y, (name, pen)) in (24..).step_by(28).zip(names) {
        let style = ShapeStyle::from(pen.colour).stroke_width(pen.width);
        area.draw(&PathElement::new([(10, y), (38, y)], style)).map_err(drawing)?;
        let text = (FONT, 18).into_font().color(&BLACK);
        area.draw(&Text::new((*name).to_owned(), (46, y - 10), text)).map_err(drawing)?;
    }
    Ok(())
}

/// What stands under every title: the machine.
fn machine(record: &Record) -> String {
    let m = &record.machine;
    let core = m.clock.cycles_per_ns.map_or_else(String::new, |c| format!(", core {c:.1} GHz"));
    format!(
        "{}, family {:X}h model {}{core}, {}, fast_mem set: {}, copy: {}",
        m.cpu,
        m.family,
        m.model,
        m.os,
        first_word(&m.set),
        first_word(&m.copy)
    )
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// The title and the machine below it; what is left of the area.
fn titled<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    title: &str,
    below: &str,
) -> Result<DrawingArea<B, Shift>, String> {
    area.fill(&WHITE).map_err(drawing)?;
    let text = |size: i32, grey: u8| (FONT, size).into_font().color(&RGBColor(grey, grey, grey));
    area.draw(&Text::new(title.to_owned(), (24, 14), text(28, 20))).map_err(drawing)?;
    area.draw(&Text::new(below.to_owned(), (24, 48), text(16, 90))).map_err(drawing)?;
    Ok(area.margin(76, 14, 14, 24))
}
