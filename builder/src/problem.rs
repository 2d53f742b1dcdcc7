//! What is wrong with a site, told so that its author can put it right.
//!
//! A [`Problem`] names the file and line it is about, says what is wrong in one sentence and, where there is
//! an obvious next step, how to help it. Reading a site never stops at the first one: all are gathered in
//! [`Problems`] and told together. Whether a problem ends the build is the caller's decision; this module only
//! knows errors from warnings.
//!
//! ```text
//! error: the front matter is not valid YAML: did not find expected ',' or ']'
//!   --> notes/tea.md:3:9
//!   help: close the list with `]`
//! ```

use std::fmt;

use serde_json::{Value, json};

/// How bad a problem is, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something would be published wrongly, or could not be read at all.
    Error,
    /// The site can be published; something in it is probably not what was meant.
    Warning,
}

impl Severity {
    /// The word that stands before the problem.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// One thing that is wrong with a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Error or warning.
    pub severity: Severity,
    /// The file it is about, below the site's folder.
    pub file: String,
    /// The line, counted from 1; none when the problem is the file as a whole.
    pub line: Option<u32>,
    /// The column in characters, counted from 1.
    pub column: Option<u32>,
    /// What is wrong, in one sentence without a final period.
    pub what: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Problem {
    /// An error about a file as a whole.
    pub fn error(file: impl Into<String>, what: impl Into<String>) -> Problem {
        Problem {
            severity: Severity::Error,
            file: file.into(),
            line: None,
            column: None,
            what: what.into(),
            help: None,
        }
    }

    /// A warning about a file as a whole.
    pub fn warning(file: impl Into<String>, what: impl Into<String>) -> Problem {
        Problem {
            severity: Severity::Warning,
            ..Problem::error(file, what)
        }
    }

    /// The same problem, at a line counted from 1.
    #[must_use]
    pub fn at(mut self, line: u32) -> Problem {
        self.line = Some(line);
        self
    }

    /// The same problem, at a line and column counted from 1.
    #[must_use]
    pub fn at_column(mut self, line: u32, column: u32) -> Problem {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    /// The same problem, with a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    /// The problem as one JSON object. Facts that are not known are absent.
    pub fn to_json(&self) -> Value {
        let mut object = serde_json::Map::new();
        object.insert("severity".into(), json!(self.severity.as_str()));
        object.insert("file".into(), json!(self.file));
        if let Some(line) = self.line {
            object.insert("line".into(), json!(line));
        }
        if let Some(column) = self.column {
            object.insert("column".into(), json!(column));
        }
        object.insert("what".into(), json!(self.what));
        if let Some(help) = &self.help {
            object.insert("help".into(), json!(help));
        }
        Value::Object(object)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.severity.as_str(), one_line(&self.what))?;
        write!(f, "  --> {}", one_line(&self.file))?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
            if let Some(column) = self.column {
                write!(f, ":{column}")?;
            }
        }
        if let Some(help) = &self.help {
            write!(f, "\n  help: {}", one_line(help))?;
        }
        Ok(())
    }
}

/// Names and texts come from files, and must not be able to write to the terminal.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// All problems of a site: errors first, then by file, line and column, none told twice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Sorts the problems and drops those that are told already.
    pub fn new(mut problems: Vec<Problem>) -> Problems {
        problems.sort_by(|a, b| {
            let key = |p: &Problem| (p.severity, p.line, p.column);
            (a.severity, &a.file)
                .cmp(&(b.severity, &b.file))
                .then_with(|| key(a).cmp(&key(b)))
                .then_with(|| a.what.cmp(&b.what))
        });
        problems.dedup();
        Problems(problems)
    }

    /// These problems and others.
    #[must_use]
    pub fn and(mut self, others: &Problems) -> Problems {
        self.0.extend(others.iter().cloned());
        Problems::new(self.0)
    }

    /// The problems in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.0.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many of them are errors.
    pub fn errors(&self) -> usize {
        self.iter()
            .filter(|p| p.severity == Severity::Error)
            .count()
    }

    /// How many of them are warnings.
    pub fn warnings(&self) -> usize {
        self.len() - self.errors()
    }

    /// The same problems with every warning made an error.
    #[must_use]
    pub fn strict(self) -> Problems {
        let raised = self.0.into_iter().map(|p| Problem {
            severity: Severity::Error,
            ..p
        });
        Problems::new(raised.collect())
    }

    /// All of them as a JSON array.
    pub fn to_json(&self) -> Value {
        self.iter().map(Problem::to_json).collect()
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_told_with_place_and_help() {
        let problem = Problem::error("a/b.md", "no closing fence")
            .at_column(3, 9)
            .help("add `---`");
        assert_eq!(
            problem.to_string(),
            "error: no closing fence\n  --> a/b.md:3:9\n  help: add `---`"
        );
        assert_eq!(
            problem.to_json(),
            json!({"severity": "error", "file": "a/b.md", "line": 3, "column": 9,
                   "what": "no closing fence", "help": "add `---`"})
        );
    }

    #[test]
    fn errors_come_first_then_files_then_lines_and_none_twice() {
        let problems = Problems::new(vec![
            Problem::warning("a.md", "w").at(1),
            Problem::error("b.md", "x").at(9),
            Problem::error("b.md", "x").at(2),
            Problem::error("b.md", "x").at(9),
        ]);
        let told: Vec<_> = problems.iter().map(|p| (p.severity, p.line)).collect();
        assert_eq!(
            told,
            [
                (Severity::Error, Some(2)),
                (Severity::Error, Some(9)),
                (Severity::Warning, Some(1))
            ]
        );
        assert_eq!((problems.errors(), problems.warnings()), (2, 1));
        assert_eq!(problems.strict().errors(), 3);
    }

    #[test]
    fn a_file_name_cannot_write_to_the_terminal() {
        let told = Problem::error("a\u{1b}[2Jb.md", "x\ny").to_string();
        assert_eq!(told, "error: x y\n  --> a [2Jb.md");
    }
}
