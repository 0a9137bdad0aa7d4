// swift-format-ignore-file
// Made by scripts/make-schemas from docs/schemas; `make docs` makes it again.

/// The schema of a document.
package struct JSONSchema: Sendable {
  /// The name of its file, as in `storedoctor schema KIND`.
  package let kind: String
  /// Its `$id`, which documents name in their member `schema`.
  package let id: String
  /// The schema itself.
  package let text: String
}

/// All schemas, by kind.
package let jsonSchemas: [JSONSchema] = [
  JSONSchema(
    kind: "anonymization", id: "storedoctor.anonymization/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.anonymization/1",
        "title": "storedoctor.anonymization/1",
        "description": "What `storedoctor anonymize --format json` prints of the copy that it wrote, and of what was proved.",
        "type": "object",
        "additionalProperties": false,
        "required": [
          "schema",
          "tool",
          "store",
          "output",
          "sizes",
          "rows",
          "externalFiles",
          "caution",
          "notes",
          "attributes",
          "proof"
        ],
        "properties": {
          "schema": {
            "const": "storedoctor.anonymization/1"
          },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "version"
            ],
            "properties": {
              "version": {
                "type": "string",
                "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"
              }
            }
          },
          "store": {
            "description": "The store that was read.",
            "type": "string"
          },
          "output": {
            "description": "The copy.",
            "type": "string"
          },
          "sizes": {
            "description": "Whether lengths of texts and bytes stay, or became the end of their class of length.",
            "enum": [
              "exact",
              "rough"
            ]
          },
          "sample": {
            "description": "Which part of the store was copied; absent for all of it.",
            "type": "object",
            "additionalProperties": false,
            "required": [
              "limit",
              "entities",
              "cutLinks",
              "leftOutRows",
              "missingFindings"
            ],
            "properties": {
              "limit": {
                "description": "How many objects of each entity were asked for, at most.",
                "type": "integer",
                "minimum": 1
              },
              "entities": {
                "description": "The entities that have objects.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": [
                    "name",
                    "objects",
                    "of"
                  ],
                  "properties": {
                    "name": {
                      "type": "string"
                    },
                    "objects": {
                      "description": "Objects in the copy; more than asked for where others need them or findings name them.",
                      "type": "integer",
                      "minimum": 0
                    },
                    "of": {
                      "description": "Objects in the store.",
                      "type": "integer",
                      "minimum": 0
                    }
                  }
                }
              },
              "cutLinks": {
                "description": "Links to objects that were left out, which are NULL in the copy.",
                "type": "integer",
                "minimum": 0
              },
              "leftOutRows": {
                "description": "Rows of all tables that were left out.",
                "type": "integer",
                "minimum": 0
              },
              "missingFindings": {
                "description": "Findings of the store that the copy has not, by check, entity and property, as 'SD401 Note.folder'.",
                "type": "array",
                "items": {
                  "type": "string"
                }
              }
            }
          },
          "rows": {
            "description": "Rows of all tables, those of Core Data's own among them.",
            "type": "integer",
            "minimum": 0
          },
          "externalFiles": {
            "description": "Files with values beside the store that were written anew.",
            "type": "integer",
            "minimum": 0
          },
          "caution": {
            "description": "What such a copy is not.",
            "type": "string"
          },
          "notes": {
            "description": "What was replaced besides the attributes, and what was left out.",
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "attributes": {
            "description": "What became of each attribute, by name.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": [
                "name",
                "decision",
                "why",
                "values"
              ],
              "properties": {
                "name": {
                  "description": "Entity and attribute, as 'Note.title'; of a composite attribute each element.",
                  "type": "string"
                },
                "decision": {
                  "description": "Whether the values stay, are replaced (dates moved), or are NULL now.",
                  "enum": [
                    "keep",
                    "replace",
                    "drop"
                  ]
                },
                "why": {
                  "description": "The reason.",
                  "type": "string"
                },
                "values": {
                  "description": "Values that are not NULL in the store.",
                  "type": "integer",
                  "minimum": 0
                },
                "distinct": {
                  "description": "How many different values were kept, 1001 for more than 1,000; absent where they were not kept.",
                  "type": "integer",
                  "minimum": 0
                }
              }
            }
          },
          "proof": {
            "description": "What was compared and searched before the copy got its name.",
            "type": "object",
            "additionalProperties": false,
            "required": [
              "findings",
              "verdicts",
              "values",
              "search"
            ],
            "properties": {
              "findings": {
                "type": "object",
                "additionalProperties": false,
                "required": [
                  "same",
                  "notCompared"
                ],
                "properties": {
                  "same": {
                    "description": "Findings that both have, by check, entity, property and count; of a sample by check, entity and property.",
                    "type": "integer",
                    "minimum": 0
                  },
                  "notCompared": {
                    "description": "Ids of findings about other files, free pages or dropped values, which are not compared.",
                    "type": "array",
                    "items": {
                      "type": "string"
                    }
                  }
                }
              },
              "verdicts": {
                "description": "For each version of the models given with --model the verdict, the same of both stores unless it is a sample.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": [
                    "version",
                    "verdict"
                  ],
                  "properties": {
                    "version": {
                      "description": "The version.",
                      "type": "string"
                    },
                    "verdict": {
                      "description": "The verdict.",
                      "type": "string"
                    },
                    "ofStore": {
                      "description": "Of a sample: the verdict of the store, where it is another.",
                      "type": "string"
                    }
                  }
                }
              },
              "values": {
                "type": "object",
                "additionalProperties": false,
                "required": [
                  "kept",
                  "replaced",
                  "lengths",
                  "otherLengths"
                ],
                "properties": {
                  "kept": {
                    "description": "Keys, links, entity numbers and other values that were compared one by one and are the same.",
                    "type": "integer",
                    "minimum": 0
                  },
                  "replaced": {
                    "description": "Values that were replaced.",
                    "type": "integer",
                    "minimum": 0
                  },
                  "lengths": {
                    "description": "Whether lengths are the same (archives excepted), or only their classes: 1, 2, 3, 4, 6, 8, 12, 16, 24 and so on.",
                    "enum": [
                      "same",
                      "classes"
                    ]
                  },
                  "otherLengths": {
                    "description": "Replaced values whose length in bytes is another: archives that were written anew, and with rough sizes what did not end its class.",
                    "type": "integer",
                    "minimum": 0
                  },
                  "keptLengths": {
                    "description": "With rough sizes: values that have the length they had although it is not the end of a class, such as UUIDs, texts without letters, and texts of which a rule of the model allows no other.",
                    "type": "integer",
                    "minimum": 0
                  }
                }
              },
              "search": {
                "type": "object",
                "additionalProperties": false,
                "required": [
                  "runs",
                  "bytes",
                  "found",
                  "ofKeptValues",
                  "acrossValues",
                  "inNumbers"
                ],
                "properties": {
                  "runs": {
                    "description": "Runs of six bytes (of texts also of six units of UTF-16) of replaced values, equal ones counted again.",
                    "type": "integer",
                    "minimum": 0
                  },
                  "bytes": {
                    "description": "Bytes of the copy and its external files that were searched.",
                    "type": "integer",
                    "minimum": 0
                  },
                  "found": {
                    "description": "Runs that were found: none, or there is no copy.",
                    "const": 0
                  },
                  "ofKeptValues": {
                    "description": "Runs that were found and that names or values which were kept have, too.",
                    "type": "integer",
                    "minimum": 0
                  },
                  "acrossValues": {
                    "description": "Runs that chance made across values, or across what separates them in a page (lengths, keys, the heads of pages), and that are in no text and no data.",
                    "type": "integer",
                    "minimum": 0
                  },
                  "inNumbers": {
                    "description": "Runs that chance made within a number, and that are in no text and no data.",
                    "type": "integer",
                    "minimum": 0
                  }
                }
              }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "audit-baseline", id: "storedoctor.baseline/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.baseline/1",
        "title": "storedoctor.baseline/1",
        "description": "A line of a baseline: findings that are known of a store, or of every store, and hidden. Lines of one id add up.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "id", "known"],
        "properties": {
          "schema": { "const": "storedoctor.baseline/1" },
          "id": { "description": "The store's id or path; * without idBytes for every store.", "type": "string" },
          "idBytes": { "description": "Base-64 of the id or path where that is not UTF-8, or is * itself.", "type": "string" },
          "known": { "description": "Fingerprints of findings, each with how bad it was: one that is worse now is not known. Without a severity it is known however bad it is.", "type": "array", "items": {"type": "string", "pattern": "^[0-9a-f]{16}( (note|warning|error))?$"} }
        }
      }

      """#),
  JSONSchema(
    kind: "audit-summary", id: "storedoctor.audit-summary/2",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.audit-summary/2",
        "title": "storedoctor.audit-summary/2",
        "description": "What `storedoctor audit --summary --format json` prints: the lines of an audit added up, in whatever order they came.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "lines", "stores", "statuses", "severities", "verdicts", "known", "muted", "versions", "causes", "findings", "entities", "sizes", "rows", "frameworkVersions", "problems", "runs", "toolVersions"],
        "properties": {
          "schema": { "const": "storedoctor.audit-summary/2" },
          "tool": { "type": "object", "additionalProperties": false, "required": ["version"], "properties": {"version": {"type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"}} },
          "lines": { "description": "Those that are about no store included.", "type": "integer", "minimum": 0 },
          "stores": { "type": "integer", "minimum": 0 },
          "statuses": { "description": "Lines by status; none where absent.", "type": "object", "additionalProperties": false, "required": [], "properties": {"audited": {"type": "integer", "minimum": 1}, "unreadable": {"type": "integer", "minimum": 1}, "timed-out": {"type": "integer", "minimum": 1}, "crashed": {"type": "integer", "minimum": 1}, "over-memory": {"type": "integer", "minimum": 1}, "no-store": {"type": "integer", "minimum": 1}, "not-followed": {"type": "integer", "minimum": 1}} },
          "severities": { "description": "Stores by their worst severity.", "type": "object", "additionalProperties": false, "required": [], "properties": {"error": {"type": "integer", "minimum": 1}, "warning": {"type": "integer", "minimum": 1}, "note": {"type": "integer", "minimum": 1}} },
          "verdicts": { "$ref": "#/$defs/verdicts" },
          "known": { "description": "Findings that the baseline hides.", "type": "integer", "minimum": 0 },
          "muted": { "description": "Findings that the configuration mutes.", "type": "integer", "minimum": 0 },
          "leftOut": { "description": "Findings of entities that --entity did not ask for.", "type": "integer", "minimum": 1 },
          "notWhole": { "description": "Stores that may hold more than what was read: in WAL mode with no log beside them, or with one that was not read.", "type": "integer", "minimum": 1 },
          "touched": { "description": "Stores of whose files reading may have changed the access times, since they belong to another user.", "type": "integer", "minimum": 1 },
          "savable": { "description": "What 'storedoctor salvage' would save of damaged stores, where that can be told.", "type": "object", "additionalProperties": false, "required": ["stores", "objects", "doubtful", "lostKeys"], "properties": {"stores": {"type": "integer", "minimum": 1}, "objects": {"description": "Of the apps' own entities.", "type": "integer", "minimum": 0}, "doubtful": {"description": "Rows that it would leave out.", "type": "integer", "minimum": 0}, "lostKeys": {"description": "Keys of objects that lie on pages which cannot be read: how many were handed out at most, where that is known.", "type": "integer", "minimum": 0}, "mayLoseMore": {"description": "Stores of which it is not known.", "type": "integer", "minimum": 1}} },
          "incomplete": { "description": "Stores of which something could not be looked at; `skipped` in their lines says what and why.", "type": "integer", "minimum": 1 },
          "configs": { "description": "The configurations that held.", "type": "array", "items": { "type": "string" } },
          "versions": { "description": "In the field, the most frequent first.", "type": "array", "items": {"$ref": "#/$defs/version"} },
          "causes": { "description": "What keeps stores from opening, that of the most stores first.", "type": "array", "items": {"$ref": "#/$defs/found"} },
          "losing": { "description": "Stores that migrate, and lose rows or values by it.", "type": "integer", "minimum": 1 },
          "atRisk": { "description": "What becomes of rows of stores that migrate, or would once their rows are mended; losses first.", "type": "array", "minItems": 1, "items": {"$ref": "#/$defs/risk"} },
          "findings": { "description": "The gravest and most frequent first.", "type": "array", "items": {"$ref": "#/$defs/found"} },
          "entities": { "description": "That of the most stores first.", "type": "array", "items": {"$ref": "#/$defs/entity"} },
          "sizes": { "$ref": "#/$defs/sizes" },
          "rows": { "description": "Of all entities of all stores.", "type": "integer", "minimum": 0 },
          "frameworkVersions": { "description": "The latest first.", "type": "array", "items": {"$ref": "#/$defs/framework"} },
          "problems": { "description": "The most frequent first.", "type": "array", "items": {"$ref": "#/$defs/problem"} },
          "repairs": { "$ref": "#/$defs/repairs" },
          "rehearsals": { "$ref": "#/$defs/rehearsals" },
          "gate": { "$ref": "#/$defs/gate" },
          "timings": { "$ref": "#/$defs/timings" },
          "runs": { "description": "More than one where lines of different models, checks or options were put together.", "type": "array", "items": {"$ref": "#/$defs/run"} },
          "toolVersions": { "type": "array", "items": {"$ref": "#/$defs/toolVersion"} },
          "others": { "description": "What falls to names beyond those kept; absent where all are.", "type": "object", "additionalProperties": false, "required": [], "properties": {"versions": {"type": "integer", "minimum": 1}, "causes": {"type": "integer", "minimum": 1}, "findings": {"type": "integer", "minimum": 1}, "atRisk": {"type": "integer", "minimum": 1}, "entities": {"type": "integer", "minimum": 1}, "frameworkVersions": {"type": "integer", "minimum": 1}, "problems": {"type": "integer", "minimum": 1}} }
        },
        "$defs": {
          "version": {
            "description": "A version and the stores that have it.",
            "type": "object",
            "additionalProperties": false,
            "required": ["label", "stores", "bytes", "verdicts"],
            "properties": {
              "label": { "description": "Of the candidate version; else identifiers and the start of the checksum in base-64.", "type": "string" },
              "candidate": { "description": "Present for a version of the models given.", "const": true },
              "stores": { "type": "integer", "minimum": 1 },
              "bytes": { "description": "Sizes together.", "type": "integer", "minimum": 0 },
              "verdicts": { "$ref": "#/$defs/verdicts" },
              "losing": { "description": "Those that migrate, and lose rows or values by it; none where absent.", "type": "integer", "minimum": 1 }
            }
          },
          "risk": {
            "description": "Rows at one place that a migration takes something from, or that pass and are worth a look.",
            "type": "object",
            "additionalProperties": false,
            "required": ["consequence", "message", "stores", "rows", "examples"],
            "properties": {
              "owner": { "description": "The entity.", "type": "string" },
              "property": { "description": "Absent for whole rows.", "type": "string" },
              "consequence": { "enum": ["loses", "atRisk"] },
              "message": { "description": "What becomes of them.", "type": "string" },
              "stores": { "type": "integer", "minimum": 1 },
              "rows": { "description": "In all of them.", "type": "integer", "minimum": 0 },
              "examples": { "description": "The first few stores in byte order.", "type": "array", "items": {"$ref": "#/$defs/example"} }
            }
          },
          "verdicts": {
            "description": "Stores by verdict; none where absent.",
            "type": "object",
            "additionalProperties": false,
            "required": [],
            "properties": {
              "healthy": { "type": "integer", "minimum": 1 },
              "findings": { "type": "integer", "minimum": 1 },
              "opens": { "type": "integer", "minimum": 1 },
              "migrates": { "type": "integer", "minimum": 1 },
              "blocked-by-data": { "type": "integer", "minimum": 1 },
              "needs-custom-stage": { "type": "integer", "minimum": 1 },
              "unknown-version": { "type": "integer", "minimum": 1 },
              "foreign-model": { "type": "integer", "minimum": 1 },
              "damaged": { "type": "integer", "minimum": 1 }
            }
          },
          "found": {
            "description": "What was found at one place of stores.",
            "type": "object",
            "additionalProperties": false,
            "required": ["id", "name", "severity", "stores", "rows", "examples"],
            "properties": {
              "id": { "type": "string" },
              "name": { "type": "string" },
              "owner": { "description": "The entity, else the table; absent for the store as a whole.", "type": "string" },
              "property": { "type": "string" },
              "code": { "description": "What the app prints; of causes alone.", "type": "integer" },
              "severity": { "description": "The worst it was judged.", "enum": ["error", "warning", "note"] },
              "stores": { "type": "integer", "minimum": 1 },
              "rows": { "description": "Rows, files or pages in all of them.", "type": "integer", "minimum": 0 },
              "examples": { "description": "The first few in byte order.", "type": "array", "items": {"$ref": "#/$defs/example"} }
            }
          },
          "example": {
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "type": "string" },
              "pathBytes": { "description": "Base-64 of the path where it is not UTF-8.", "type": "string" },
              "id": { "type": "string" }
            }
          },
          "entity": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "stores", "rows", "medianAbout", "most"],
            "properties": {
              "name": { "type": "string" },
              "stores": { "description": "That have rows of it.", "type": "integer", "minimum": 1 },
              "rows": { "description": "In all of them.", "type": "integer", "minimum": 0 },
              "medianAbout": { "description": "What half of these stores have at most; exact up to 7, else right to an eighth.", "type": "integer", "minimum": 0 },
              "most": { "description": "That one store has.", "type": "integer", "minimum": 0 }
            }
          },
          "problem": {
            "description": "A cause for which stores were not read.",
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "stores", "examples"],
            "properties": {
              "kind": { "type": "string" },
              "stores": { "type": "integer", "minimum": 1 },
              "examples": { "type": "array", "items": {"$ref": "#/$defs/example"} },
              "signals": { "type": "array", "items": {"$ref": "#/$defs/signal"} }
            }
          },
          "signal": {
            "type": "object",
            "additionalProperties": false,
            "required": ["signal", "stores"],
            "properties": {
              "signal": { "type": "string" },
              "stores": { "type": "integer", "minimum": 1 }
            }
          },
          "sizes": {
            "description": "Main file and WAL.",
            "type": "object",
            "additionalProperties": false,
            "required": ["stores", "total", "largest", "histogram"],
            "properties": {
              "stores": { "description": "Whose size is known.", "type": "integer", "minimum": 0 },
              "total": { "type": "integer", "minimum": 0 },
              "largest": { "type": "integer", "minimum": 0 },
              "histogram": { "description": "By powers of two, the empty ones between included.", "type": "array", "items": {"$ref": "#/$defs/size"} }
            }
          },
          "size": {
            "type": "object",
            "additionalProperties": false,
            "required": ["from", "through", "stores"],
            "properties": {
              "from": { "type": "integer", "minimum": 0 },
              "through": { "type": "integer", "minimum": 0 },
              "stores": { "type": "integer", "minimum": 0 }
            }
          },
          "framework": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version", "stores"],
            "properties": {
              "version": { "type": "integer" },
              "stores": { "type": "integer", "minimum": 1 }
            }
          },
          "repairs": {
            "description": "What a recipe would do, or did.",
            "type": "object",
            "additionalProperties": false,
            "required": ["repairs", "obstacles", "outputs"],
            "properties": {
              "repairs": { "type": "array", "items": {"$ref": "#/$defs/repair"} },
              "obstacles": { "type": "integer", "minimum": 0 },
              "outputs": { "type": "array", "items": {"$ref": "#/$defs/copies"} }
            }
          },
          "rehearsals": {
            "description": "What became of migrations that were performed in private and thrown away; only of lines of `--rehearse`.",
            "type": "object",
            "additionalProperties": false,
            "required": ["outcomes", "kept", "lost", "lostValues", "losing", "obstacles", "assumed"],
            "properties": {
              "outcomes": { "description": "Stores by outcome; none where absent. Stores that could not be read have none.", "type": "object", "additionalProperties": false, "required": [], "properties": {"performed": {"type": "integer", "minimum": 1}, "opens": {"type": "integer", "minimum": 1}, "not-possible": {"type": "integer", "minimum": 1}, "not-rehearsed": {"type": "integer", "minimum": 1}, "not-as-judged": {"type": "integer", "minimum": 1}} },
              "kept": { "description": "Objects that are in stores and results.", "type": "integer", "minimum": 0 },
              "lost": { "description": "Objects of entities that the targets do not have, and those that a recipe removed where that loses something.", "type": "integer", "minimum": 0 },
              "lostValues": { "description": "Values of attributes and relationships that the targets do not have.", "type": "integer", "minimum": 0 },
              "losing": { "description": "Stores that lose objects or values.", "type": "integer", "minimum": 0 },
              "obstacles": { "description": "Why stores were not migrated, or not as judged; that of the most stores first.", "type": "array", "items": {"$ref": "#/$defs/obstacle"} },
              "assumed": { "description": "What is known by inference only.", "type": "array", "items": {"$ref": "#/$defs/assumption"} }
            }
          },
          "obstacle": {
            "type": "object",
            "additionalProperties": false,
            "required": ["outcome", "reason", "stores", "examples"],
            "properties": {
              "outcome": { "enum": ["not-possible", "not-rehearsed", "not-as-judged"] },
              "reason": { "type": "string" },
              "stores": { "type": "integer", "minimum": 0 },
              "examples": { "type": "array", "items": {"$ref": "#/$defs/example"} }
            }
          },
          "assumption": {
            "type": "object",
            "additionalProperties": false,
            "required": ["sentence", "stores"],
            "properties": {
              "sentence": { "type": "string" },
              "stores": { "type": "integer", "minimum": 0 }
            }
          },
          "repair": {
            "type": "object",
            "additionalProperties": false,
            "required": ["repair", "stores", "changes"],
            "properties": {
              "repair": { "type": "string" },
              "stores": { "type": "integer", "minimum": 0 },
              "changes": { "description": "Rows.", "type": "integer", "minimum": 0 }
            }
          },
          "copies": {
            "type": "object",
            "additionalProperties": false,
            "required": ["outcome", "stores"],
            "properties": {
              "outcome": { "type": "string" },
              "stores": { "type": "integer", "minimum": 0 }
            }
          },
          "gate": {
            "description": "What all stores were held to.",
            "type": "object",
            "additionalProperties": false,
            "required": ["passed", "demands"],
            "properties": {
              "passed": { "description": "Null where no store was held to what is demanded.", "type": ["boolean", "null"] },
              "demands": { "type": "array", "items": {"$ref": "#/$defs/demand"} }
            }
          },
          "demand": {
            "type": "object",
            "additionalProperties": false,
            "required": ["option", "met", "sentence", "examples"],
            "properties": {
              "option": { "description": "As it is written.", "type": "string" },
              "met": { "description": "Null where no store was held to it.", "type": ["boolean", "null"] },
              "sentence": { "description": "How it stands.", "type": "string" },
              "examples": { "description": "Stores that speak against it.", "type": "array", "items": {"$ref": "#/$defs/example"} }
            }
          },
          "timings": {
            "description": "Only with --timings; left out of every equality.",
            "type": "object",
            "additionalProperties": false,
            "required": ["milliseconds", "slowest"],
            "properties": {
              "milliseconds": { "description": "Of all stores together.", "type": "integer", "minimum": 0 },
              "slowest": { "type": "array", "items": {"$ref": "#/$defs/slow"} }
            }
          },
          "slow": {
            "type": "object",
            "additionalProperties": false,
            "required": ["store", "milliseconds"],
            "properties": {
              "store": { "$ref": "#/$defs/example" },
              "milliseconds": { "type": "integer", "minimum": 0 }
            }
          },
          "run": {
            "type": "object",
            "additionalProperties": false,
            "required": ["run", "lines"],
            "properties": {
              "run": { "type": "string" },
              "lines": { "type": "integer", "minimum": 1 }
            }
          },
          "toolVersion": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version", "lines"],
            "properties": {
              "version": { "type": "string" },
              "lines": { "type": "integer", "minimum": 1 }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "audit", id: "storedoctor.audit/2",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.audit/2",
        "title": "storedoctor.audit/2",
        "description": "A line of what `storedoctor audit` prints. Members that are not required are left out when there is nothing to say; null is never written.",
        "type": "object",
        "additionalProperties": false,
        "required": [
          "schema",
          "tool",
          "run",
          "path",
          "status"
        ],
        "properties": {
          "schema": {
            "const": "storedoctor.audit/2"
          },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "version"
            ],
            "properties": {
              "version": {
                "type": "string",
                "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"
              }
            }
          },
          "run": {
            "description": "A digest of everything that decides what lines say: tool, models, checks, options. Lines of one value can stand in one report.",
            "type": "string",
            "pattern": "^[0-9a-f]{16}$"
          },
          "path": {
            "description": "As given or found; an entry of an archive is archive.zip!entry.",
            "type": "string"
          },
          "pathBytes": {
            "description": "Base-64 of the path where it is not UTF-8.",
            "type": "string"
          },
          "id": {
            "description": "What the list given with --from calls it.",
            "type": "string"
          },
          "within": {
            "description": "Where it is in what the list names by the id: /2024/Notes.sqlite of a folder, !Notes.sqlite of an archive. With the id before it, it is what the line is merged and known by.",
            "type": "string"
          },
          "withinBytes": {
            "description": "Base-64 of it where it is not UTF-8.",
            "type": "string"
          },
          "status": {
            "description": "How far the audit came with it. no-store and not-followed are about no store.",
            "enum": [
              "audited",
              "unreadable",
              "timed-out",
              "crashed",
              "over-memory",
              "no-store",
              "not-followed"
            ]
          },
          "problem": {
            "$ref": "#/$defs/problem"
          },
          "severity": {
            "description": "The worst of verdict and findings; absent where there is nothing to say.",
            "enum": [
              "error",
              "warning",
              "note"
            ]
          },
          "bytes": {
            "description": "Of the main file and its WAL.",
            "type": "integer",
            "minimum": 0
          },
          "rows": {
            "description": "Of all entities.",
            "type": "integer",
            "minimum": 0
          },
          "entities": {
            "description": "The app's own that have rows, in order of name.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/entity"
            }
          },
          "store": {
            "$ref": "#/$defs/store",
            "required": [
              "path",
              "versionIdentifiers",
              "modelSource"
            ]
          },
          "version": {
            "description": "The candidate version with equal hashes; absent where none has them.",
            "type": "string"
          },
          "verdict": {
            "enum": [
              "healthy",
              "findings",
              "opens",
              "migrates",
              "blocked-by-data",
              "needs-custom-stage",
              "unknown-version",
              "foreign-model",
              "damaged"
            ]
          },
          "deciding": {
            "$ref": "#/$defs/deciding"
          },
          "models": {
            "type": "array",
            "items": {
              "$ref": "#/$defs/model"
            }
          },
          "atRisk": {
            "description": "What a migration takes away, or passes that is worth a look; of the deciding version, where the store migrates or would once its rows are mended.",
            "type": "array",
            "minItems": 1,
            "items": {
              "$ref": "#/$defs/risk"
            }
          },
          "findings": {
            "description": "By check, entity, property and table.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/finding"
            }
          },
          "savable": {
            "$ref": "#/$defs/savable"
          },
          "skipped": {
            "description": "What could not be looked at, by check.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/skipped"
            }
          },
          "known": {
            "description": "Findings that the baseline hides.",
            "type": "integer",
            "minimum": 1
          },
          "muted": {
            "description": "Findings that the configuration mutes.",
            "type": "integer",
            "minimum": 1
          },
          "config": {
            "$ref": "#/$defs/config"
          },
          "scope": {
            "$ref": "#/$defs/scope"
          },
          "plan": {
            "$ref": "#/$defs/plan"
          },
          "output": {
            "$ref": "#/$defs/output"
          },
          "rehearsal": {
            "$ref": "#/$defs/rehearsal"
          },
          "container": {
            "description": "The app, plug-in or group in whose container the store lies, where a list of the device says so and the path does not.",
            "type": "string"
          },
          "device": {
            "description": "Of a store in a backup: the device, its system, when the backup was made and whether it is complete, in words.",
            "type": "string"
          },
          "stamp": {
            "description": "What tells that the store, or the archive it is in, was written to since: from sizes, times of change and first bytes of the file, its -wal and its -journal. --resume looks again at what has another. Absent where there is no file.",
            "type": "string",
            "pattern": "^[0-9a-f]{16}$"
          },
          "milliseconds": {
            "description": "Only with --timings.",
            "type": "integer",
            "minimum": 0
          }
        },
        "$defs": {
          "savable": {
            "description": "What 'storedoctor salvage' would save, where pages of the store are damaged, or it is too damaged to be opened: tables as storedoctor.salvage/1 has them.",
            "type": "object",
            "additionalProperties": false,
            "required": ["saved", "tables", "damagedPages"],
            "properties": {
              "saved": { "description": "Rows of all tables.", "type": "integer", "minimum": 0 },
              "damagedPages": { "description": "Pages that are damaged in part and may have had more rows than can be found.", "type": "integer", "minimum": 0 },
              "tables": {
                "description": "The tables that have rows, or had some, in the order of the schema.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["name", "entities", "doubtful", "torn", "lost"],
                  "properties": {
                    "name": { "type": "string" },
                    "entities": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "additionalProperties": false,
                        "required": ["saved"],
                        "properties": {
                          "name": { "description": "Absent for a table that is none of an entity's.", "type": "string" },
                          "saved": { "type": "integer", "minimum": 0 }
                        }
                      }
                    },
                    "doubtful": { "type": "integer", "minimum": 0 },
                    "torn": { "description": "Rows of which a part is lost; among the doubtful ones.", "type": "integer", "minimum": 0 },
                    "lost": {
                      "description": "Keys on pages that cannot be read, ascending.",
                      "type": "array",
                      "items": {
                        "type": "object",
                        "additionalProperties": false,
                        "required": ["first", "last"],
                        "properties": { "first": { "type": "integer" }, "last": { "type": "integer" } }
                      }
                    },
                    "lostKeys": { "description": "How many of these keys were handed out at most; absent where that is not known.", "type": "integer", "minimum": 0 }
                  }
                }
              }
            }
          },
          "rehearsal": {
            "description": "A migration that was performed in private and thrown away; only of `storedoctor rehearse --format jsonl` and `storedoctor audit --rehearse`.",
            "type": "object",
            "additionalProperties": false,
            "required": ["outcome"],
            "properties": {
              "outcome": { "enum": ["performed", "opens", "not-possible", "not-rehearsed", "not-as-judged"] },
              "reasons": { "description": "Why it was not performed, or what is not as it was judged.", "type": "array", "items": { "type": "string" } },
              "assumed": { "description": "What is known by inference only.", "type": "array", "items": { "type": "string" } },
              "kept": { "description": "Objects that are in store and result.", "type": "integer", "minimum": 0 },
              "lost": { "description": "Objects of entities that the target does not have, and those that a recipe removed where that loses something.", "type": "integer", "minimum": 0 },
              "lostValues": { "description": "Values of attributes and relationships that the target does not have.", "type": "integer", "minimum": 0 },
              "output": { "description": "The migrated copy, with --keep-results.", "type": "string" }
            }
          },
          "problem": {
            "description": "What stood in the way.",
            "type": "object",
            "additionalProperties": false,
            "required": [
              "kind",
              "message"
            ],
            "properties": {
              "kind": {
                "description": "In a word.",
                "enum": [
                  "missing",
                  "empty",
                  "truncated",
                  "unreadable",
                  "changed",
                  "not-permitted",
                  "not-regular",
                  "other-kind",
                  "unknown-bytes",
                  "undone-halfway",
                  "orphan-wal",
                  "bad-line",
                  "cannot-unpack",
                  "refused-entry",
                  "too-deep",
                  "timed-out",
                  "crashed",
                  "over-memory",
                  "not-core-data",
                  "no-store",
                  "link",
                  "nested-archive",
                  "unsupported-archive"
                ]
              },
              "message": {
                "description": "A sentence.",
                "type": "string"
              },
              "stage": {
                "description": "What was being done.",
                "enum": [
                  "opening",
                  "checking",
                  "planning",
                  "applying",
                  "writing",
                  "unpacking"
                ]
              },
              "signal": {
                "description": "The signal that ended the process.",
                "type": "integer",
                "minimum": 1
              }
            }
          },
          "entity": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "name",
              "rows"
            ],
            "properties": {
              "name": {
                "description": "In Z_PRIMARYKEY.",
                "type": "string"
              },
              "rows": {
                "description": "Without those of subentities.",
                "type": "integer",
                "minimum": 0
              }
            }
          },
          "store": {
            "description": "What a store says of itself, of one shape in every document. What the command does not look at is left out.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "description": "As given, or as found in the folder that was given.", "type": "string" },
              "pathBytes": { "description": "The path in base-64, byte for byte, where it is not UTF-8.", "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" },
              "uuid": { "type": "string" },
              "frameworkVersion": { "description": "Of the framework that last wrote the metadata.", "type": "integer" },
              "versionIdentifiers": { "description": "Text given by the developer.", "type": "array", "items": { "type": "string" } },
              "modelSource": { "description": "Where the description of the entities comes from.", "enum": ["cache", "given", "inferred"] },
              "digest": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it.", "type": "string", "pattern": "^[A-Za-z0-9+/]{86}==$" },
              "checksum": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it; also where an older framework did not.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
              "reading": {
                "description": "What the answer rests on.",
                "type": "object",
                "additionalProperties": false,
                "required": ["complete", "sound", "log", "accessTimes"],
                "properties": {
                  "complete": { "description": "Whether all that was saved is in what was read.", "enum": ["yes", "no", "unknown"] },
                  "sound": { "description": "Whether the tables that were read show all their rows; unknown where pages were not looked at.", "enum": ["yes", "no", "unknown"] },
                  "log": { "description": "What became of the write-ahead log: read; none; foreign, so not read; or leftOut, as was asked for.", "enum": ["read", "none", "foreign", "leftOut"] },
                  "namedLog": { "description": "The log that --wal named, which was read in place of the one beside the store.", "type": "string" },
                  "fittingLogs": { "description": "Logs beside the store under other names that fit and were not read.", "type": "array", "items": { "type": "string" } },
                  "unfinishedRepair": { "description": "The journal of a repair in place that stopped before its end, beside the store.", "type": "string" },
                  "abandonedJournal": { "description": "The folder that a repair in place or an undo left when it was ended before it changed anything.", "type": "string" },
                  "journal": { "description": "There where a hot rollback journal was applied in memory.", "const": "applied" },
                  "accessTimes": { "description": "Whether reading left the files' access times alone.", "enum": ["kept", "mayHaveChanged"] },
                  "reasons": { "description": "Why it is not complete, or why that is not known.", "type": "array", "items": { "type": "string" } },
                  "unread": { "description": "What the store has and what could not be read of it, besides rows: its metadata, or its model cache.", "type": "array", "items": { "type": "string" } },
                  "damage": { "description": "What is damaged of the tables that were read.", "type": "array", "items": { "type": "string" } }
                }
              },
              "asOf": { "description": "The commit of its write-ahead log as of which the store was read; absent where all of it was.", "type": "object", "additionalProperties": false, "required": ["commit", "commits"], "properties": { "commit": { "description": "Counted from 1; 0 is before the first.", "type": "integer", "minimum": 0 }, "commits": { "description": "How many the log has.", "type": "integer", "minimum": 0 } } },
              "hashes": { "description": "Entity to version hash, in hex digits.", "type": "object", "additionalProperties": { "type": "string", "pattern": "^[0-9a-f]{64}$" } },
              "fingerprint": { "description": "SHA-256 over the main file and the committed frames of the WAL.", "type": "string", "pattern": "^[0-9a-f]{64}$" },
              "files": {
                "description": "The main file first, then what lies beside it.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["role", "bytes"],
                  "properties": {
                    "role": { "enum": ["main", "wal", "shm", "journal", "support"] },
                    "bytes": { "type": "integer", "minimum": 0 },
                    "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" }
                  }
                }
              },
              "journalMode": { "enum": ["wal", "delete"] },
              "pageSize": { "enum": [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536] },
              "freePages": { "type": "integer", "minimum": 0 },
              "wal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["frames", "committedFrames", "framesNotInMain", "belongsToStore", "reasons", "read"],
                "properties": {
                  "frames": { "type": "integer", "minimum": 0 },
                  "committedFrames": { "type": "integer", "minimum": 0 },
                  "framesNotInMain": { "type": "integer", "minimum": 0 },
                  "belongsToStore": { "enum": ["yes", "no", "unknown"] },
                  "reasons": { "type": "array", "items": { "type": "string" } },
                  "read": { "description": "Whether the rows that are shown include it.", "type": "boolean" }
                }
              },
              "hotJournal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["pagesRestored"],
                "properties": { "pagesRestored": { "type": "integer", "minimum": 0 } }
              },
              "accessTimesKept": { "type": "boolean" }
            }
          },
          "risk": {
            "description": "Rows at one place; `diagnose --format json` lists their keys.",
            "type": "object",
            "additionalProperties": false,
            "required": [
              "consequence",
              "message",
              "rows"
            ],
            "properties": {
              "entity": {
                "type": "string"
              },
              "property": {
                "description": "Absent for whole rows.",
                "type": "string"
              },
              "consequence": {
                "description": "`loses`: what they hold is gone afterwards.",
                "enum": [
                  "loses",
                  "atRisk"
                ]
              },
              "code": {
                "description": "Of the next save of such an object.",
                "$ref": "#/$defs/code"
              },
              "message": {
                "description": "What becomes of them.",
                "type": "string"
              },
              "rows": {
                "type": "integer",
                "minimum": 1
              }
            }
          },
          "deciding": {
            "description": "The version that decides.",
            "type": "object",
            "additionalProperties": false,
            "required": [
              "version",
              "basis"
            ],
            "properties": {
              "version": {
                "type": "string"
              },
              "code": {
                "$ref": "#/$defs/code"
              },
              "basis": {
                "enum": [
                  "observed",
                  "documented",
                  "assumed"
                ]
              }
            }
          },
          "model": {
            "description": "The answer for one version of the models given.",
            "type": "object",
            "additionalProperties": false,
            "required": [
              "version",
              "verdict"
            ],
            "properties": {
              "version": {
                "type": "string"
              },
              "verdict": {
                "enum": [
                  "opens",
                  "migrates",
                  "blocked-by-data",
                  "needs-custom-stage",
                  "unknown-version",
                  "foreign-model",
                  "damaged"
                ]
              },
              "code": {
                "$ref": "#/$defs/code"
              }
            }
          },
          "code": {
            "description": "What the app prints.",
            "type": "integer"
          },
          "plan": {
            "description": "What a recipe would do.",
            "type": "object",
            "additionalProperties": false,
            "required": [
              "operations"
            ],
            "properties": {
              "operations": {
                "type": "array",
                "items": {
                  "$ref": "#/$defs/operation"
                }
              },
              "obstacles": {
                "description": "What stands in its way, in sentences.",
                "type": "array",
                "items": {
                  "type": "string"
                }
              }
            }
          },
          "operation": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "repair",
              "operations",
              "changes"
            ],
            "properties": {
              "repair": {
                "description": "Its name.",
                "type": "string"
              },
              "operations": {
                "description": "Operations of the plan.",
                "type": "integer",
                "minimum": 1
              },
              "changes": {
                "description": "Rows, or files, that change.",
                "type": "integer",
                "minimum": 0
              }
            }
          },
          "output": {
            "description": "What became of the copy that --apply or --anonymize asks for.",
            "type": "object",
            "additionalProperties": false,
            "required": [
              "outcome"
            ],
            "properties": {
              "outcome": {
                "enum": [
                  "written",
                  "nothing-to-do",
                  "failed"
                ]
              },
              "path": {
                "description": "The copy.",
                "type": "string"
              },
              "message": {
                "description": "Why there is none.",
                "type": "string"
              },
              "anonymized": {
                "description": "Whether it is the copy without anybody's values that --anonymize asks for; absent for a repaired one.",
                "const": true
              },
              "replacedValues": {
                "description": "How many values were replaced in it.",
                "type": "integer",
                "minimum": 0
              }
            }
          },
          "finding": {
            "description": "One for each check, entity and property; of SD410 one a store.",
            "type": "object",
            "additionalProperties": false,
            "required": [
              "id",
              "name",
              "severity",
              "count",
              "examples",
              "message",
              "blocks",
              "remedies",
              "basis",
              "fingerprint"
            ],
            "properties": {
              "id": {
                "$ref": "#/$defs/id"
              },
              "name": {
                "type": "string",
                "pattern": "^[a-z]+(-[a-z]+)*$"
              },
              "severity": {
                "enum": [
                  "error",
                  "warning",
                  "note"
                ]
              },
              "entity": {
                "description": "The name in Z_PRIMARYKEY; for a property the entity that declares it.",
                "type": "string"
              },
              "table": {
                "description": "Where it was found.",
                "type": "string"
              },
              "property": {
                "type": "string"
              },
              "count": {
                "description": "Rows, or files, or pages; 1 where there is one of it.",
                "type": "integer",
                "minimum": 1
              },
              "entities": {
                "description": "How many of them each entity has, where one finding is about several (SD410).",
                "type": "object",
                "additionalProperties": {
                  "type": "integer",
                  "minimum": 1
                }
              },
              "examples": {
                "description": "The first of them.",
                "type": "array",
                "items": {
                  "$ref": "#/$defs/example"
                }
              },
              "message": {
                "type": "string"
              },
              "blocks": {
                "description": "Error codes an app may meet because of it.",
                "type": "array",
                "items": {
                  "type": "integer"
                }
              },
              "remedies": {
                "description": "Repairs that treat it.",
                "type": "array",
                "items": {
                  "$ref": "#/$defs/remedy"
                }
              },
              "basis": {
                "enum": [
                  "observed",
                  "documented",
                  "assumed"
                ]
              },
              "fingerprint": {
                "description": "The same for the same check and place, whatever the rows.",
                "type": "string",
                "pattern": "^[0-9a-f]{16}$"
              },
              "show": {
                "description": "The command that shows the rows of the examples; STORE stands for the path.",
                "type": "string"
              }
            }
          },
          "example": {
            "type": "object",
            "additionalProperties": false,
            "required": [],
            "properties": {
              "primaryKey": {
                "description": "Z_PK of the row, or of the link's source; absent where it is NULL.",
                "type": "integer"
              },
              "entity": {
                "description": "Of the row, where another than the finding's.",
                "type": "string"
              },
              "key": {
                "description": "The key the row holds.",
                "type": "integer"
              },
              "foundEntity": {
                "description": "The entity of the row the key leads to.",
                "type": "string"
              },
              "companion": {
                "description": "The entity number beside the key.",
                "type": "integer"
              },
              "expected": {
                "description": "What that number should be; absent for NULL.",
                "type": "integer"
              },
              "destination": {
                "description": "The other key of a link.",
                "type": "integer"
              },
              "missing": {
                "description": "Which end of a link does not exist.",
                "enum": [
                  "source",
                  "destination",
                  "both"
                ]
              },
              "orderKey": {
                "type": "integer"
              },
              "links": {
                "description": "How many objects the relationship has.",
                "type": "integer"
              },
              "number": {
                "description": "Z_ENT of the row; absent for NULL.",
                "type": "integer"
              },
              "highWater": {
                "description": "Z_MAX; absent for NULL.",
                "type": "integer"
              },
              "page": {
                "description": "A damaged page, counted from 1.",
                "type": "integer",
                "minimum": 1
              },
              "column": {
                "description": "A column that no property accounts for.",
                "type": "string"
              },
              "trigger": {
                "description": "A trigger that is not Core Data's.",
                "type": "string"
              },
              "first": {
                "description": "The first row that has the same values.",
                "type": "integer"
              },
              "class": {
                "description": "The class in the row's archive that is not let through.",
                "type": "string"
              },
              "module": {
                "description": "The module of the class in the row's archive.",
                "type": "string"
              },
              "origin": {
                "description": "In a mirrored store: whether the row came by an import, or was inserted here; absent where the history does not say.",
                "enum": [
                  "import",
                  "here"
                ]
              },
              "record": {
                "description": "In a mirrored store: the state of the row's record.",
                "enum": [
                  "uploaded",
                  "waiting",
                  "to be deleted",
                  "none"
                ]
              }
            }
          },
          "remedy": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "recipe",
              "safe"
            ],
            "properties": {
              "recipe": {
                "description": "A fragment of a recipe for `storedoctor repair`.",
                "type": "string"
              },
              "safe": {
                "description": "Whether --safe does it too.",
                "type": "boolean"
              }
            }
          },
          "skipped": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "check",
              "reason"
            ],
            "properties": {
              "check": {
                "$ref": "#/$defs/id"
              },
              "reason": {
                "type": "string"
              }
            }
          },
          "id": {
            "type": "string",
            "pattern": "^SD[1-8][0-9][0-9]$"
          },
          "config": {
            "description": "The configuration that held (docs/configuration.md); absent where there is none. Muted findings are not in `findings`, and not at the gate.",
            "type": "object",
            "additionalProperties": false,
            "required": [
              "path",
              "muted"
            ],
            "properties": {
              "path": {
                "description": "The file, as given or as seen from the working directory.",
                "type": "string"
              },
              "pathBytes": {
                "description": "Base-64 of the path where it is not UTF-8.",
                "type": "string"
              },
              "muted": {
                "description": "The file's skips of checks that were run, in its order, also where nothing was found.",
                "type": "array",
                "items": {
                  "$ref": "#/$defs/muted"
                }
              },
              "severities": {
                "description": "Checks whose findings have another severity than their own.",
                "type": "array",
                "items": {
                  "$ref": "#/$defs/movedSeverity"
                }
              }
            }
          },
          "muted": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "check",
              "reason",
              "findings"
            ],
            "properties": {
              "check": {
                "$ref": "#/$defs/id"
              },
              "entity": {
                "description": "Absent for all.",
                "type": "string"
              },
              "property": {
                "description": "Absent for all of the entity's.",
                "type": "string"
              },
              "reason": {
                "type": "string"
              },
              "findings": {
                "description": "How many it mutes.",
                "type": "integer",
                "minimum": 0
              }
            }
          },
          "movedSeverity": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "check",
              "severity",
              "findings"
            ],
            "properties": {
              "check": {
                "$ref": "#/$defs/id"
              },
              "severity": {
                "enum": [
                  "error",
                  "warning",
                  "note"
                ]
              },
              "findings": {
                "description": "How many have another severity because of it.",
                "type": "integer",
                "minimum": 0
              }
            }
          },
          "scope": {
            "description": "Present with --entity: `findings` holds those of these entities, of the ones they inherit from, and of the store as a whole; the verdict is the whole store's.",
            "type": "object",
            "additionalProperties": false,
            "required": [
              "entities",
              "leftOut"
            ],
            "properties": {
              "entities": {
                "type": "array",
                "items": {
                  "type": "string"
                }
              },
              "leftOut": {
                "description": "Findings of other entities, by severity.",
                "type": "object",
                "additionalProperties": false,
                "required": [
                  "error",
                  "warning",
                  "note"
                ],
                "properties": {
                  "error": {
                    "type": "integer",
                    "minimum": 0
                  },
                  "warning": {
                    "type": "integer",
                    "minimum": 0
                  },
                  "note": {
                    "type": "integer",
                    "minimum": 0
                  }
                }
              }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "comparison", id: "storedoctor.comparison/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.comparison/1",
        "title": "storedoctor.comparison/1",
        "description": "What `storedoctor compare A B --format json` prints. `--format jsonl` prints the elements of `changes`, one a line, and then the rest as a last line.",
        "type": "object",
        "additionalProperties": false,
        "required": [
          "schema",
          "tool",
          "before",
          "after",
          "entities",
          "onlyBefore",
          "onlyAfter",
          "notCompared"
        ],
        "properties": {
          "schema": {
            "const": "storedoctor.comparison/1"
          },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "version"
            ],
            "properties": {
              "version": {
                "type": "string",
                "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"
              }
            }
          },
          "before": {
            "$ref": "#/$defs/store"
          },
          "after": {
            "$ref": "#/$defs/store"
          },
          "equal": {
            "description": "Left out where something could not be compared and nothing else is different.",
            "type": "boolean"
          },
          "keysGivenAnew": {
            "description": "Where both stores have one UUID but keys are other objects' now: how objects were paired instead.",
            "type": "string"
          },
          "entities": {
            "description": "The entities of both stores.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/entity"
            }
          },
          "onlyBefore": {
            "$ref": "#/$defs/lonely"
          },
          "onlyAfter": {
            "$ref": "#/$defs/lonely"
          },
          "notCompared": {
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": [
                "entity",
                "reason"
              ],
              "properties": {
                "entity": {
                  "type": "string"
                },
                "reason": {
                  "type": "string"
                }
              }
            }
          },
          "changes": {
            "description": "The objects that are different; left out with --summary.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/change"
            }
          }
        },
        "$defs": {
          "store": {
            "description": "What a store says of itself, of one shape in every document. What the command does not look at is left out.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "description": "As given, or as found in the folder that was given.", "type": "string" },
              "pathBytes": { "description": "The path in base-64, byte for byte, where it is not UTF-8.", "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" },
              "uuid": { "type": "string" },
              "frameworkVersion": { "description": "Of the framework that last wrote the metadata.", "type": "integer" },
              "versionIdentifiers": { "description": "Text given by the developer.", "type": "array", "items": { "type": "string" } },
              "modelSource": { "description": "Where the description of the entities comes from.", "enum": ["cache", "given", "inferred"] },
              "digest": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it.", "type": "string", "pattern": "^[A-Za-z0-9+/]{86}==$" },
              "checksum": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it; also where an older framework did not.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
              "reading": {
                "description": "What the answer rests on.",
                "type": "object",
                "additionalProperties": false,
                "required": ["complete", "sound", "log", "accessTimes"],
                "properties": {
                  "complete": { "description": "Whether all that was saved is in what was read.", "enum": ["yes", "no", "unknown"] },
                  "sound": { "description": "Whether the tables that were read show all their rows; unknown where pages were not looked at.", "enum": ["yes", "no", "unknown"] },
                  "log": { "description": "What became of the write-ahead log: read; none; foreign, so not read; or leftOut, as was asked for.", "enum": ["read", "none", "foreign", "leftOut"] },
                  "namedLog": { "description": "The log that --wal named, which was read in place of the one beside the store.", "type": "string" },
                  "fittingLogs": { "description": "Logs beside the store under other names that fit and were not read.", "type": "array", "items": { "type": "string" } },
                  "unfinishedRepair": { "description": "The journal of a repair in place that stopped before its end, beside the store.", "type": "string" },
                  "abandonedJournal": { "description": "The folder that a repair in place or an undo left when it was ended before it changed anything.", "type": "string" },
                  "journal": { "description": "There where a hot rollback journal was applied in memory.", "const": "applied" },
                  "accessTimes": { "description": "Whether reading left the files' access times alone.", "enum": ["kept", "mayHaveChanged"] },
                  "reasons": { "description": "Why it is not complete, or why that is not known.", "type": "array", "items": { "type": "string" } },
                  "unread": { "description": "What the store has and what could not be read of it, besides rows: its metadata, or its model cache.", "type": "array", "items": { "type": "string" } },
                  "damage": { "description": "What is damaged of the tables that were read.", "type": "array", "items": { "type": "string" } }
                }
              },
              "asOf": { "description": "The commit of its write-ahead log as of which the store was read; absent where all of it was.", "type": "object", "additionalProperties": false, "required": ["commit", "commits"], "properties": { "commit": { "description": "Counted from 1; 0 is before the first.", "type": "integer", "minimum": 0 }, "commits": { "description": "How many the log has.", "type": "integer", "minimum": 0 } } },
              "hashes": { "description": "Entity to version hash, in hex digits.", "type": "object", "additionalProperties": { "type": "string", "pattern": "^[0-9a-f]{64}$" } },
              "fingerprint": { "description": "SHA-256 over the main file and the committed frames of the WAL.", "type": "string", "pattern": "^[0-9a-f]{64}$" },
              "files": {
                "description": "The main file first, then what lies beside it.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["role", "bytes"],
                  "properties": {
                    "role": { "enum": ["main", "wal", "shm", "journal", "support"] },
                    "bytes": { "type": "integer", "minimum": 0 },
                    "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" }
                  }
                }
              },
              "journalMode": { "enum": ["wal", "delete"] },
              "pageSize": { "enum": [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536] },
              "freePages": { "type": "integer", "minimum": 0 },
              "wal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["frames", "committedFrames", "framesNotInMain", "belongsToStore", "reasons", "read"],
                "properties": {
                  "frames": { "type": "integer", "minimum": 0 },
                  "committedFrames": { "type": "integer", "minimum": 0 },
                  "framesNotInMain": { "type": "integer", "minimum": 0 },
                  "belongsToStore": { "enum": ["yes", "no", "unknown"] },
                  "reasons": { "type": "array", "items": { "type": "string" } },
                  "read": { "description": "Whether the rows that are shown include it.", "type": "boolean" }
                }
              },
              "hotJournal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["pagesRestored"],
                "properties": { "pagesRestored": { "type": "integer", "minimum": 0 } }
              },
              "accessTimesKept": { "type": "boolean" }
            }
          },
          "entity": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "name",
              "pairedBy",
              "before",
              "after",
              "removed",
              "added",
              "changed",
              "moved",
              "changedValues",
              "dropped",
              "new",
              "renamed"
            ],
            "properties": {
              "name": {
                "description": "In the second store.",
                "type": "string"
              },
              "nameBefore": {
                "description": "In the first store, where it is another.",
                "type": "string"
              },
              "pairedBy": {
                "description": "'key', the attribute by which objects were paired, or 'content' where keys were given anew and no attribute is unique.",
                "type": "string"
              },
              "before": {
                "type": "integer",
                "minimum": 0
              },
              "after": {
                "type": "integer",
                "minimum": 0
              },
              "removed": {
                "type": "integer",
                "minimum": 0
              },
              "added": {
                "type": "integer",
                "minimum": 0
              },
              "changed": {
                "type": "integer",
                "minimum": 0
              },
              "moved": {
                "description": "Objects with the same values under another key.",
                "type": "integer",
                "minimum": 0
              },
              "changedValues": {
                "description": "For each property, the objects with another value.",
                "type": "object",
                "additionalProperties": {
                  "type": "integer",
                  "minimum": 0
                }
              },
              "dropped": {
                "description": "Properties of the first model only.",
                "type": "array",
                "items": {
                  "$ref": "#/$defs/fate"
                }
              },
              "new": {
                "description": "Properties of the second model only.",
                "type": "array",
                "items": {
                  "$ref": "#/$defs/fate"
                }
              },
              "renamed": {
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": [
                    "before",
                    "after"
                  ],
                  "properties": {
                    "before": {
                      "type": "string"
                    },
                    "after": {
                      "type": "string"
                    }
                  }
                }
              }
            }
          },
          "fate": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "name",
              "values"
            ],
            "properties": {
              "name": {
                "type": "string"
              },
              "values": {
                "description": "Objects with a value.",
                "type": "integer",
                "minimum": 0
              },
              "constant": {
                "description": "The value all of them have, if it is one."
              }
            }
          },
          "lonely": {
            "description": "Entities of one store only.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": [
                "entity",
                "objects"
              ],
              "properties": {
                "entity": {
                  "type": "string"
                },
                "objects": {
                  "type": "integer",
                  "minimum": 0
                }
              }
            }
          },
          "change": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "kind",
              "entity"
            ],
            "properties": {
              "kind": {
                "enum": [
                  "added",
                  "removed",
                  "changed",
                  "moved"
                ]
              },
              "entity": {
                "type": "string"
              },
              "keyBefore": {
                "type": "integer"
              },
              "keyAfter": {
                "type": "integer"
              },
              "title": {
                "description": "What the object is called, if an attribute looks like a title.",
                "type": "string"
              },
              "values": {
                "description": "Of a changed object the values that are different; of an added or removed one those that are not NULL.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": [
                    "property"
                  ],
                  "properties": {
                    "property": {
                      "type": "string"
                    },
                    "before": {
                      "description": "null for NULL."
                    },
                    "after": {
                      "description": "null for NULL."
                    },
                    "orderOnly": {
                      "description": "The same objects are linked in another order.",
                      "const": true
                    }
                  }
                }
              }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "config", id: "storedoctor.config/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.config/1",
        "title": "storedoctor.config/1",
        "description": "What `.storedoctor.yaml` may say, as JSON would say it; docs/configuration.md explains it. Every key may be absent. storedoctor refuses what this refuses, and checks and words it does not know.",
        "type": "object",
        "additionalProperties": false,
        "required": [],
        "properties": {
          "version": { "const": 1 },
          "severities": {
            "description": "How bad the findings of a check are, by the check's id or name.",
            "type": "object",
            "additionalProperties": { "enum": ["error", "warning", "note"] }
          },
          "skips": { "description": "Findings that are known and accepted.", "type": "array", "items": { "$ref": "#/$defs/skip" } },
          "models": {
            "description": "Models the app may open the store with, in the order of versions, relative to this file; as --model.",
            "type": "array",
            "items": { "$ref": "#/$defs/text" }
          },
          "defaults": { "$ref": "#/$defs/defaults" }
        },
        "$defs": {
          "text": { "type": "string", "pattern": "." },
          "skip": {
            "type": "object",
            "additionalProperties": false,
            "required": ["check", "reason"],
            "properties": {
              "check": { "description": "Id or name.", "$ref": "#/$defs/text" },
              "entity": { "description": "An entity, or an entity and one of its properties; absent for all findings of the check.", "type": "string", "pattern": "^[^.]+(\\..+)?$" },
              "reason": { "description": "Why; every report shows it.", "$ref": "#/$defs/text" }
            }
          },
          "defaults": {
            "description": "Options by their names on the command line, which comes first.",
            "type": "object",
            "additionalProperties": false,
            "required": [],
            "properties": {
              "fail-on": { "enum": ["error", "warning", "note", "never"] },
              "examples": { "type": "integer", "minimum": 0 },
              "opening": { "enum": ["automatic", "staged", "manual", "all"] },
              "integrity": { "type": "boolean" },
              "unique": { "type": "array", "items": { "type": "string", "pattern": "^[^.]+\\.[^,]+(,[^,]+)*$" } },
              "cloudkit": { "type": "boolean" },
              "assume": { "description": "What types of Swift source are stored as that nothing tells, as in URL=uri.", "type": "array", "items": { "type": "string", "pattern": "^[^=\\s]+=(string|integer16|integer32|integer64|boolean|double|float|decimal|date|binary|uuid|uri|transformable)$" } },
              "allow-class": { "description": "Classes that secure transformers let through besides the system's, as in ColorTransformer=UIColor.", "type": "array", "items": { "type": "string", "pattern": "^([^=]+=)?[^=,]+(,[^=,]+)*$" } },
              "entity": { "type": "array", "items": { "$ref": "#/$defs/text" } }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "custody-check", id: "storedoctor.custody-check/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.custody-check/1",
        "title": "storedoctor.custody-check/1",
        "description": "What 'storedoctor custody --verify FILE --format json' writes.",
        "type": "object",
        "additionalProperties": false,
        "required": [
          "schema",
          "tool",
          "record",
          "recordSHA256",
          "equal",
          "files"
        ],
        "properties": {
          "schema": {
            "const": "storedoctor.custody-check/1"
          },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "version"
            ],
            "properties": {
              "version": {
                "type": "string"
              }
            }
          },
          "record": {
            "description": "The record's path.",
            "type": "string"
          },
          "recordSHA256": {
            "description": "Of the record itself.",
            "type": "string",
            "pattern": "^[0-9a-f]{64}$"
          },
          "equal": {
            "description": "Whether every file is as recorded after the run.",
            "type": "boolean"
          },
          "files": {
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": [
                "path",
                "equal"
              ],
              "properties": {
                "path": {
                  "type": "string"
                },
                "equal": {
                  "type": "boolean"
                },
                "difference": {
                  "type": "string"
                }
              }
            }
          },
          "notCompared": {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "custody", id: "storedoctor.custody/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.custody/1",
        "title": "storedoctor.custody/1",
        "description": "What '--custody FILE' writes: who read what with what. It has no name of a user or machine but those in arguments, paths and the note.",
        "type": "object",
        "additionalProperties": false,
        "required": [
          "schema",
          "tool",
          "arguments",
          "started",
          "ended",
          "exitStatus",
          "files",
          "outputs"
        ],
        "properties": {
          "schema": {
            "const": "storedoctor.custody/1"
          },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "version"
            ],
            "properties": {
              "version": {
                "type": "string"
              },
              "program": {
                "description": "The program's own file.",
                "type": "object",
                "additionalProperties": false,
                "required": [
                  "bytes",
                  "md5",
                  "sha1",
                  "sha256"
                ],
                "properties": {
                  "bytes": {
                    "type": "integer",
                    "minimum": 0
                  },
                  "md5": {
                    "$ref": "#/$defs/md5"
                  },
                  "sha1": {
                    "$ref": "#/$defs/sha1"
                  },
                  "sha256": {
                    "$ref": "#/$defs/sha256"
                  }
                }
              }
            }
          },
          "arguments": {
            "description": "The words of the command line, without the program.",
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "note": {
            "description": "The words of --custody-note.",
            "type": "string"
          },
          "started": {
            "$ref": "#/$defs/time"
          },
          "ended": {
            "$ref": "#/$defs/time"
          },
          "exitStatus": {
            "type": "integer"
          },
          "files": {
            "description": "The files that the words name: of a store its side files and support folder too, of a folder all files in it.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": [
                "path",
                "role",
                "unchanged"
              ],
              "properties": {
                "path": {
                  "type": "string"
                },
                "pathBytes": {
                  "$ref": "#/$defs/pathBytes"
                },
                "role": {
                  "enum": [
                    "main",
                    "wal",
                    "shm",
                    "journal",
                    "support",
                    "input"
                  ]
                },
                "before": {
                  "description": "Absent where it was not there, or could not be read.",
                  "$ref": "#/$defs/state"
                },
                "after": {
                  "description": "Absent where it was gone, or could not be read.",
                  "$ref": "#/$defs/state"
                },
                "unchanged": {
                  "description": "Whether content and times of change are the same before and after.",
                  "type": "boolean"
                },
                "problem": {
                  "description": "Why it could not be read.",
                  "type": "string"
                }
              }
            }
          },
          "outputs": {
            "description": "What the run wrote: standard output first, then new files.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": [
                "bytes",
                "md5",
                "sha1",
                "sha256"
              ],
              "properties": {
                "path": {
                  "description": "Absent for standard output.",
                  "type": "string"
                },
                "pathBytes": {
                  "$ref": "#/$defs/pathBytes"
                },
                "standardOutput": {
                  "const": true
                },
                "bytes": {
                  "type": "integer",
                  "minimum": 0
                },
                "md5": {
                  "$ref": "#/$defs/md5"
                },
                "sha1": {
                  "$ref": "#/$defs/sha1"
                },
                "sha256": {
                  "$ref": "#/$defs/sha256"
                }
              }
            }
          },
          "gaps": {
            "description": "What the record does not hold, and why.",
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        },
        "$defs": {
          "state": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "bytes",
              "md5",
              "sha1",
              "sha256",
              "modified",
              "changed",
              "accessed"
            ],
            "properties": {
              "bytes": {
                "type": "integer",
                "minimum": 0
              },
              "md5": {
                "$ref": "#/$defs/md5"
              },
              "sha1": {
                "$ref": "#/$defs/sha1"
              },
              "sha256": {
                "$ref": "#/$defs/sha256"
              },
              "modified": {
                "$ref": "#/$defs/time"
              },
              "changed": {
                "description": "Content, name, owner or mode.",
                "$ref": "#/$defs/time"
              },
              "accessed": {
                "$ref": "#/$defs/time"
              }
            }
          },
          "md5": {
            "type": "string",
            "pattern": "^[0-9a-f]{32}$"
          },
          "sha1": {
            "type": "string",
            "pattern": "^[0-9a-f]{40}$"
          },
          "sha256": {
            "type": "string",
            "pattern": "^[0-9a-f]{64}$"
          },
          "pathBytes": {
            "description": "The path in base-64, byte for byte, where it is not UTF-8.",
            "type": "string",
            "pattern": "^[A-Za-z0-9+/]*={0,2}$"
          },
          "time": {
            "description": "UTC.",
            "type": "string",
            "pattern": "^-?[0-9]+-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{9}Z$"
          }
        }
      }

      """#),
  JSONSchema(
    kind: "diagnosis", id: "storedoctor.diagnosis/2",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.diagnosis/2",
        "title": "storedoctor.diagnosis/2",
        "description": "What `storedoctor diagnose --format json` prints. Members that are not required are left out when there is nothing to say; null is never written.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "store", "verdict", "findings", "skipped"],
        "properties": {
          "schema": { "const": "storedoctor.diagnosis/2" },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version"],
            "properties": { "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+" } }
          },
          "store": { "$ref": "#/$defs/store", "required": ["path", "versionIdentifiers", "modelSource"] },
          "verdict": { "description": "Without a model to open the store with: no error and no warning, some, or not readable whole. With models that of the deciding version.", "enum": ["healthy", "findings", "opens", "migrates", "blocked-by-data", "needs-custom-stage", "unknown-version", "foreign-model", "damaged"] },
          "models": { "description": "What would happen with each version of the models given, in their order; absent where none is.", "type": "array", "items": { "$ref": "#/$defs/model" } },
          "findings": { "description": "By check, entity, property and table.", "type": "array", "items": { "$ref": "#/$defs/finding" } },
          "skipped": { "description": "What could not be looked at, by check.", "type": "array", "items": { "$ref": "#/$defs/skipped" } },
          "config": { "$ref": "#/$defs/config" },
          "scope": { "$ref": "#/$defs/scope" },
          "savable": { "$ref": "#/$defs/savable" }
        },
        "$defs": {
          "store": {
            "description": "What a store says of itself, of one shape in every document. What the command does not look at is left out.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "description": "As given, or as found in the folder that was given.", "type": "string" },
              "pathBytes": { "description": "The path in base-64, byte for byte, where it is not UTF-8.", "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" },
              "uuid": { "type": "string" },
              "frameworkVersion": { "description": "Of the framework that last wrote the metadata.", "type": "integer" },
              "versionIdentifiers": { "description": "Text given by the developer.", "type": "array", "items": { "type": "string" } },
              "modelSource": { "description": "Where the description of the entities comes from.", "enum": ["cache", "given", "inferred"] },
              "digest": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it.", "type": "string", "pattern": "^[A-Za-z0-9+/]{86}==$" },
              "checksum": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it; also where an older framework did not.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
              "reading": {
                "description": "What the answer rests on.",
                "type": "object",
                "additionalProperties": false,
                "required": ["complete", "sound", "log", "accessTimes"],
                "properties": {
                  "complete": { "description": "Whether all that was saved is in what was read.", "enum": ["yes", "no", "unknown"] },
                  "sound": { "description": "Whether the tables that were read show all their rows; unknown where pages were not looked at.", "enum": ["yes", "no", "unknown"] },
                  "log": { "description": "What became of the write-ahead log: read; none; foreign, so not read; or leftOut, as was asked for.", "enum": ["read", "none", "foreign", "leftOut"] },
                  "namedLog": { "description": "The log that --wal named, which was read in place of the one beside the store.", "type": "string" },
                  "fittingLogs": { "description": "Logs beside the store under other names that fit and were not read.", "type": "array", "items": { "type": "string" } },
                  "unfinishedRepair": { "description": "The journal of a repair in place that stopped before its end, beside the store.", "type": "string" },
                  "abandonedJournal": { "description": "The folder that a repair in place or an undo left when it was ended before it changed anything.", "type": "string" },
                  "journal": { "description": "There where a hot rollback journal was applied in memory.", "const": "applied" },
                  "accessTimes": { "description": "Whether reading left the files' access times alone.", "enum": ["kept", "mayHaveChanged"] },
                  "reasons": { "description": "Why it is not complete, or why that is not known.", "type": "array", "items": { "type": "string" } },
                  "unread": { "description": "What the store has and what could not be read of it, besides rows: its metadata, or its model cache.", "type": "array", "items": { "type": "string" } },
                  "damage": { "description": "What is damaged of the tables that were read.", "type": "array", "items": { "type": "string" } }
                }
              },
              "asOf": { "description": "The commit of its write-ahead log as of which the store was read; absent where all of it was.", "type": "object", "additionalProperties": false, "required": ["commit", "commits"], "properties": { "commit": { "description": "Counted from 1; 0 is before the first.", "type": "integer", "minimum": 0 }, "commits": { "description": "How many the log has.", "type": "integer", "minimum": 0 } } },
              "hashes": { "description": "Entity to version hash, in hex digits.", "type": "object", "additionalProperties": { "type": "string", "pattern": "^[0-9a-f]{64}$" } },
              "fingerprint": { "description": "SHA-256 over the main file and the committed frames of the WAL.", "type": "string", "pattern": "^[0-9a-f]{64}$" },
              "files": {
                "description": "The main file first, then what lies beside it.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["role", "bytes"],
                  "properties": {
                    "role": { "enum": ["main", "wal", "shm", "journal", "support"] },
                    "bytes": { "type": "integer", "minimum": 0 },
                    "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" }
                  }
                }
              },
              "journalMode": { "enum": ["wal", "delete"] },
              "pageSize": { "enum": [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536] },
              "freePages": { "type": "integer", "minimum": 0 },
              "wal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["frames", "committedFrames", "framesNotInMain", "belongsToStore", "reasons", "read"],
                "properties": {
                  "frames": { "type": "integer", "minimum": 0 },
                  "committedFrames": { "type": "integer", "minimum": 0 },
                  "framesNotInMain": { "type": "integer", "minimum": 0 },
                  "belongsToStore": { "enum": ["yes", "no", "unknown"] },
                  "reasons": { "type": "array", "items": { "type": "string" } },
                  "read": { "description": "Whether the rows that are shown include it.", "type": "boolean" }
                }
              },
              "hotJournal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["pagesRestored"],
                "properties": { "pagesRestored": { "type": "integer", "minimum": 0 } }
              },
              "accessTimesKept": { "type": "boolean" }
            }
          },
          "model": {
            "description": "What would happen with one version of the models given.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path", "version", "deciding", "verdict", "basis", "opening", "changes"],
            "properties": {
              "path": { "description": "The source of the version, as given.", "type": "string" },
              "version": { "description": "The version's name in its source.", "type": "string" },
              "deciding": { "description": "Whether the top-level verdict is that of this version.", "type": "boolean" },
              "nearest": { "description": "Present where no version has the store's hashes and this one has most of them.", "const": true },
              "verdict": { "description": "For the way of opening asked about; of automatic opening where none is.", "$ref": "#/$defs/modelVerdict" },
              "basis": { "$ref": "#/$defs/basis" },
              "opening": {
                "description": "For each way an app may open the store.",
                "type": "object",
                "additionalProperties": false,
                "required": ["none", "automatic", "staged", "manual"],
                "properties": {
                  "none": { "$ref": "#/$defs/opening" },
                  "automatic": { "$ref": "#/$defs/opening" },
                  "staged": { "$ref": "#/$defs/opening" },
                  "manual": { "$ref": "#/$defs/opening" }
                }
              },
              "changes": { "description": "From the store's model to this one, those that enter the hash.", "type": "array", "items": { "$ref": "#/$defs/change" } },
              "unknown": { "description": "Changes on the way asked about of which nobody knows whether a mapping is inferred.", "type": "array", "items": { "$ref": "#/$defs/change" } },
              "blocking": { "description": "Rows that stop the migration.", "type": "array", "items": { "$ref": "#/$defs/brokenRule" } },
              "atRisk": { "description": "Rows that pass and are worth a look.", "type": "array", "items": { "$ref": "#/$defs/brokenRule" } },
              "unanswered": { "description": "Conditions that decide and could not be told from the rows.", "type": "array", "items": { "$ref": "#/$defs/condition" } },
              "losses": { "description": "What the migration in the way asked about drops, also where no row holds anything of it.", "type": "array", "items": { "$ref": "#/$defs/loss" } },
              "faults": { "description": "Where the version's model contradicts itself, a sentence each, with what it means for the hashes.", "type": "array", "items": { "type": "string" } },
              "readings": { "description": "What the verdict rests on and nothing proves: of a version in Swift source what the store decided, of a store what could not be read.", "type": "array", "items": { "type": "string" } },
              "likelyRenames": { "description": "Removals and additions that look like a rename without renaming identifier.", "type": "array", "items": { "$ref": "#/$defs/rename" } },
              "hops": { "description": "Each step between the versions of the plan by itself.", "type": "array", "items": { "$ref": "#/$defs/hop" } },
              "recipe": { "description": "A recipe for `storedoctor repair` that makes the blocking rows fit, as far as a repair can.", "type": "string" }
            }
          },
          "modelVerdict": { "enum": ["opens", "migrates", "blocked-by-data", "needs-custom-stage", "unknown-version", "foreign-model", "damaged"] },
          "opening": {
            "type": "object",
            "additionalProperties": false,
            "required": ["verdict", "basis"],
            "properties": {
              "verdict": { "$ref": "#/$defs/modelVerdict" },
              "code": { "$ref": "#/$defs/code" },
              "reason": { "description": "As Core Data prints it.", "type": "string" },
              "basis": { "$ref": "#/$defs/basis" },
              "losing": { "description": "Present where it migrates, and rows hold something that is dropped, or may.", "const": true },
              "steps": {
                "description": "The migrations that run one after the other.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["from", "to"],
                  "properties": { "from": { "$ref": "#/$defs/name" }, "to": { "$ref": "#/$defs/name" } }
                }
              },
              "mappings": {
                "description": "The mapping models it migrates by, where it is not inferred. What they make of the rows is not judged.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["path"],
                  "properties": {
                    "path": { "type": "string" },
                    "policies": { "description": "Classes whose code migrates objects; what they do is not known.", "type": "array", "items": { "type": "string" } },
                    "conditions": { "description": "Where the mapping model does not take all objects of an entity along: what they must fulfil.", "type": "array", "items": { "type": "object", "additionalProperties": false, "required": ["entity", "condition"], "properties": { "entity": { "type": "string" }, "condition": { "type": "string" } } } }
                  }
                }
              }
            }
          },
          "hop": {
            "type": "object",
            "additionalProperties": false,
            "required": ["from", "to", "opening"],
            "properties": { "from": { "$ref": "#/$defs/name" }, "to": { "$ref": "#/$defs/name" }, "opening": { "$ref": "#/$defs/opening" } }
          },
          "brokenRule": {
            "description": "A condition and the rows that break it.",
            "type": "object",
            "additionalProperties": false,
            "required": ["condition", "rows"],
            "properties": {
              "condition": { "$ref": "#/$defs/condition" },
              "entity": { "description": "Where the change is, by its newest name.", "$ref": "#/$defs/name" },
              "property": { "$ref": "#/$defs/name" },
              "rows": { "type": "array", "items": { "$ref": "#/$defs/rows" } }
            }
          },
          "rows": {
            "type": "object",
            "additionalProperties": false,
            "required": ["entity", "count", "keys"],
            "properties": {
              "entity": { "description": "By the name in the store's model.", "type": "string" },
              "count": { "type": "integer", "minimum": 1 },
              "keys": { "description": "Of the first of them.", "type": "array", "items": { "type": "integer" } },
              "groups": { "description": "Of duplicates: how many values they share.", "type": "integer" }
            }
          },
          "name": { "type": "string" },
          "basis": { "enum": ["observed", "documented", "assumed"] },
          "code": { "description": "In NSCocoaErrorDomain.", "type": "integer" },
          "change": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "entersHash", "migration"],
            "properties": {
              "sourceEntity": { "$ref": "#/$defs/name" },
              "sourceProperty": { "$ref": "#/$defs/name" },
              "destinationEntity": { "$ref": "#/$defs/name" },
              "destinationProperty": { "$ref": "#/$defs/name" },
              "kind": {
                "enum": [
                  "versionIdentifiers", "configurationAdded", "configurationRemoved", "configurationMembers", "fetchRequestAdded",
                  "fetchRequestRemoved", "fetchRequestChanged", "entityAdded", "entityRemoved", "entityRenamed", "parent", "abstract",
                  "hashModifier", "constraintAdded", "constraintRemoved", "constraintChanged", "className", "indexAdded",
                  "indexRemoved", "indexChanged", "compoundIndexes", "attributeAdded", "relationshipAdded", "fetchedPropertyAdded",
                  "attributeRemoved", "relationshipRemoved", "fetchedPropertyRemoved", "attributeRenamed", "relationshipRenamed",
                  "fetchedPropertyRenamed", "attributeMovedUp", "attributeMovedDown", "attributeMovedRedeclared",
                  "attributeMovedRedeclarationRemoved", "relationshipMovedUp", "relationshipMovedDown", "relationshipMovedRedeclared",
                  "relationshipMovedRedeclarationRemoved", "fetchedPropertyMovedUp", "fetchedPropertyMovedDown",
                  "fetchedPropertyMovedRedeclared", "fetchedPropertyMovedRedeclarationRemoved", "propertyKind", "optional", "transient",
                  "readOnly", "type", "externalStorage", "preservesValueInHistory", "derivation", "elements", "defaultValue",
                  "validation", "valueClass", "valueTransformer", "indexed", "locationComponents", "destination", "inverse",
                  "maximumCount", "minimumCount", "ordered", "deleteRule", "fetchedRequest", "renamingIdentifier", "userInfo"
                ]
              },
              "from": { "description": "What was, as text; absent where there was nothing.", "type": "string" },
              "to": { "description": "What is, as text; absent where there is nothing.", "type": "string" },
              "names": { "description": "The index, constraint, configuration, fetch request or elements concerned.", "type": "array", "items": { "type": "string" } },
              "entersHash": { "type": "boolean" },
              "formOnly": { "description": "Whether it says only that the two sources keep one thing in different forms.", "const": true },
              "migration": { "$ref": "#/$defs/migration" }
            }
          },
          "migration": {
            "description": "What lightweight migration makes of the change.",
            "type": "object",
            "additionalProperties": false,
            "required": ["inference", "basis", "grade", "rows"],
            "properties": {
              "inference": { "enum": ["notNeeded", "possible", "impossible", "unknown"] },
              "code": { "$ref": "#/$defs/code" },
              "reason": { "description": "As Core Data prints it.", "type": "string" },
              "basis": { "$ref": "#/$defs/basis" },
              "grade": { "description": "A documented by Apple, B seen in stores or several reports, C one report, D assumed.", "enum": ["A", "B", "C", "D"] },
              "rows": { "description": "What existing rows hold afterwards, or why it cannot be.", "type": "string" },
              "conditions": { "type": "array", "items": { "$ref": "#/$defs/condition" } }
            }
          },
          "condition": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "entities", "consequence", "basisWhenMet", "basisWhenViolated", "message"],
            "properties": {
              "kind": {
                "enum": [
                  "noRows", "atMostOneRow", "noNulls", "noValues", "noDuplicates", "numericFits", "atMostOneLink", "linksWithin",
                  "linkCount", "valid", "noDanglingKeys", "noOrphanedLinks"
                ]
              },
              "entities": { "description": "By the source's names, subentities listed one by one.", "type": "array", "items": { "type": "string" } },
              "properties": { "type": "array", "items": { "type": "string" } },
              "consequence": { "description": "What follows when rows are not like that.", "enum": ["blocks", "atRisk", "loses"] },
              "code": { "$ref": "#/$defs/code" },
              "reason": { "type": "string" },
              "basisWhenMet": { "$ref": "#/$defs/basis" },
              "basisWhenViolated": { "$ref": "#/$defs/basis" },
              "message": { "type": "string" }
            }
          },
          "rename": {
            "type": "object",
            "additionalProperties": false,
            "required": ["sourceEntity", "destinationEntity", "renamingIdentifier", "reason", "explanation"],
            "properties": {
              "sourceEntity": { "$ref": "#/$defs/name" },
              "sourceProperty": { "$ref": "#/$defs/name" },
              "destinationEntity": { "$ref": "#/$defs/name" },
              "destinationProperty": { "$ref": "#/$defs/name" },
              "renamingIdentifier": { "description": "What would keep the values.", "type": "string" },
              "reason": { "enum": ["similarName", "onlyFit", "sameProperties", "namesTheVersionBetween"] },
              "explanation": { "type": "string" }
            }
          },
          "loss": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "entity"],
            "properties": {
              "kind": { "description": "All rows of a removed entity; all values of a property, or links of a relationship, that is removed; the values of a property in entities it was moved away from; the links of an object beyond the first; the order of links.", "enum": ["rows", "values", "links", "someValues", "someLinks", "order"] },
              "rows": { "description": "How many rows hold something of it; absent where they could not be counted.", "type": "integer", "minimum": 0 },
              "entity": { "description": "By the source's name.", "type": "string" },
              "property": { "description": "By the source's name; absent for rows.", "type": "string" }
            }
          },
          "config": {
            "description": "The configuration that held (docs/configuration.md); absent where there is none. Muted findings are not in `findings`, and not at the gate.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path", "muted"],
            "properties": {
              "path": { "description": "The file, as given or as seen from the working directory.", "type": "string" },
              "pathBytes": { "description": "Base-64 of the path where it is not UTF-8.", "type": "string" },
              "muted": { "description": "The file's skips of checks that were run, in its order, also where nothing was found.", "type": "array", "items": { "$ref": "#/$defs/muted" } },
              "severities": { "description": "Checks whose findings have another severity than their own.", "type": "array", "items": { "$ref": "#/$defs/movedSeverity" } }
            }
          },
          "muted": {
            "type": "object",
            "additionalProperties": false,
            "required": ["check", "reason", "findings"],
            "properties": {
              "check": { "$ref": "#/$defs/id" },
              "entity": { "description": "Absent for all.", "type": "string" },
              "property": { "description": "Absent for all of the entity's.", "type": "string" },
              "reason": { "type": "string" },
              "findings": { "description": "How many it mutes.", "type": "integer", "minimum": 0 }
            }
          },
          "movedSeverity": {
            "type": "object",
            "additionalProperties": false,
            "required": ["check", "severity", "findings"],
            "properties": {
              "check": { "$ref": "#/$defs/id" },
              "severity": { "enum": ["error", "warning", "note"] },
              "findings": { "description": "How many have another severity because of it.", "type": "integer", "minimum": 0 }
            }
          },
          "scope": {
            "description": "Present with --entity: `findings` holds those of these entities, of the ones they inherit from, and of the store as a whole; the verdict is the whole store's.",
            "type": "object",
            "additionalProperties": false,
            "required": ["entities", "leftOut"],
            "properties": {
              "entities": { "type": "array", "items": { "type": "string" } },
              "leftOut": {
                "description": "Findings of other entities, by severity.",
                "type": "object",
                "additionalProperties": false,
                "required": ["error", "warning", "note"],
                "properties": {
                  "error": { "type": "integer", "minimum": 0 },
                  "warning": { "type": "integer", "minimum": 0 },
                  "note": { "type": "integer", "minimum": 0 }
                }
              }
            }
          },
          "savable": {
            "description": "What 'storedoctor salvage' would save, where pages of the store are damaged: tables as storedoctor.salvage/1 has them.",
            "type": "object",
            "additionalProperties": false,
            "required": ["saved", "tables", "damagedPages"],
            "properties": {
              "saved": { "description": "Rows of all tables.", "type": "integer", "minimum": 0 },
              "damagedPages": { "description": "Pages that are damaged in part and may have had more rows than can be found.", "type": "integer", "minimum": 0 },
              "tables": {
                "description": "The tables that have rows, or had some, in the order of the schema.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["name", "entities", "doubtful", "torn", "lost"],
                  "properties": {
                    "name": { "type": "string" },
                    "entities": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "additionalProperties": false,
                        "required": ["saved"],
                        "properties": {
                          "name": { "description": "Absent for a table that is none of an entity's.", "type": "string" },
                          "saved": { "type": "integer", "minimum": 0 }
                        }
                      }
                    },
                    "doubtful": { "type": "integer", "minimum": 0 },
                    "torn": { "description": "Rows of which a part is lost; among the doubtful ones.", "type": "integer", "minimum": 0 },
                    "lost": {
                      "description": "Keys on pages that cannot be read, ascending.",
                      "type": "array",
                      "items": {
                        "type": "object",
                        "additionalProperties": false,
                        "required": ["first", "last"],
                        "properties": { "first": { "type": "integer" }, "last": { "type": "integer" } }
                      }
                    },
                    "lostKeys": { "description": "How many of these keys were handed out at most; absent where that is not known.", "type": "integer", "minimum": 0 }
                  }
                }
              }
            }
          },
          "id": { "type": "string", "pattern": "^SD[1-8][0-9][0-9]$" },
          "finding": {
            "description": "One for each check, entity and property; of SD410 one a store.",
            "type": "object",
            "additionalProperties": false,
            "required": ["id", "name", "severity", "count", "examples", "message", "blocks", "remedies", "basis", "fingerprint"],
            "properties": {
              "id": { "$ref": "#/$defs/id" },
              "name": { "type": "string", "pattern": "^[a-z]+(-[a-z]+)*$" },
              "severity": { "enum": ["error", "warning", "note"] },
              "entity": { "description": "The name in Z_PRIMARYKEY; for a property the entity that declares it.", "type": "string" },
              "table": { "description": "Where it was found.", "type": "string" },
              "property": { "type": "string" },
              "count": { "description": "Rows, or files, or pages; 1 where there is one of it.", "type": "integer", "minimum": 1 },
              "entities": { "description": "How many of them each entity has, where one finding is about several (SD410).", "type": "object", "additionalProperties": { "type": "integer", "minimum": 1 } },
              "examples": { "description": "The first of them.", "type": "array", "items": { "$ref": "#/$defs/example" } },
              "message": { "type": "string" },
              "blocks": { "description": "Error codes an app may meet because of it.", "type": "array", "items": { "type": "integer" } },
              "remedies": { "description": "Repairs that treat it.", "type": "array", "items": { "$ref": "#/$defs/remedy" } },
              "basis": { "enum": ["observed", "documented", "assumed"] },
              "fingerprint": { "description": "The same for the same check and place, whatever the rows.", "type": "string", "pattern": "^[0-9a-f]{16}$" },
              "show": { "description": "The command that shows the rows of the examples; STORE stands for the path.", "type": "string" }
            }
          },
          "example": {
            "type": "object",
            "additionalProperties": false,
            "required": [],
            "properties": {
              "primaryKey": { "description": "Z_PK of the row, or of the link's source; absent where it is NULL.", "type": "integer" },
              "entity": { "description": "Of the row, where another than the finding's.", "type": "string" },
              "key": { "description": "The key the row holds.", "type": "integer" },
              "foundEntity": { "description": "The entity of the row the key leads to.", "type": "string" },
              "companion": { "description": "The entity number beside the key.", "type": "integer" },
              "expected": { "description": "What that number should be; absent for NULL.", "type": "integer" },
              "destination": { "description": "The other key of a link.", "type": "integer" },
              "missing": { "description": "Which end of a link does not exist.", "enum": ["source", "destination", "both"] },
              "orderKey": { "type": "integer" },
              "links": { "description": "How many objects the relationship has.", "type": "integer" },
              "number": { "description": "Z_ENT of the row; absent for NULL.", "type": "integer" },
              "highWater": { "description": "Z_MAX; absent for NULL.", "type": "integer" },
              "page": { "description": "A damaged page, counted from 1.", "type": "integer", "minimum": 1 },
              "column": { "description": "A column that no property accounts for.", "type": "string" },
              "trigger": { "description": "A trigger that is not Core Data's.", "type": "string" },
              "first": { "description": "The first row that has the same values.", "type": "integer" },
              "class": { "description": "The class in the row's archive that is not let through.", "type": "string" },
              "module": { "description": "The module of the class in the row's archive.", "type": "string" },
              "origin": { "description": "In a mirrored store: whether the row came by an import, or was inserted here; absent where the history does not say.", "enum": ["import", "here"] },
              "record": { "description": "In a mirrored store: the state of the row's record.", "enum": ["uploaded", "waiting", "to be deleted", "none"] }
            }
          },
          "remedy": {
            "type": "object",
            "additionalProperties": false,
            "required": ["recipe", "safe"],
            "properties": {
              "recipe": { "description": "A fragment of a recipe for `storedoctor repair`.", "type": "string" },
              "safe": { "description": "Whether --safe does it too.", "type": "boolean" }
            }
          },
          "skipped": {
            "type": "object",
            "additionalProperties": false,
            "required": ["check", "reason"],
            "properties": { "check": { "$ref": "#/$defs/id" }, "reason": { "type": "string" } }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "explanation", id: "storedoctor.explanation/2",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.explanation/2",
        "title": "storedoctor.explanation/2",
        "description": "What `storedoctor explain --format json` prints. Members that are not required are left out when there is nothing to say; null is never written.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "checks", "errors", "unknownErrors", "suggestedChecks"],
        "properties": {
          "schema": { "const": "storedoctor.explanation/2" },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version"],
            "properties": { "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+" } }
          },
          "checks": { "description": "Checks that were asked for.", "type": "array", "items": { "$ref": "#/$defs/check" } },
          "errors": { "description": "Error numbers that were asked for, or stand in the log.", "type": "array", "items": { "$ref": "#/$defs/error" } },
          "unknownErrors": { "description": "Numbers in the log that nothing is known of.", "type": "array", "items": { "$ref": "#/$defs/code" } },
          "inStore": { "description": "What the store has of what the log names; absent without a store.", "type": "array", "items": { "$ref": "#/$defs/statement" } },
          "choices": { "description": "Checks whose names have the words that were asked for, where there are several.", "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/check" } },
          "claims": { "description": "What is known of statements that were asked about.", "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/reason" } },
          "suggestedChecks": { "description": "Checks that look for the causes.", "type": "array", "items": { "$ref": "#/$defs/id" } },
          "log": {
            "type": "object",
            "additionalProperties": false,
            "required": ["codes", "reasons", "places", "objects", "hashes", "schemaNames", "leadsToDeletion", "isCutOff"],
            "properties": {
              "codes": { "type": "array", "items": { "$ref": "#/$defs/code" } },
              "reasons": { "description": "Known sentences that stand in the log.", "type": "array", "items": { "$ref": "#/$defs/reason" } },
              "places": { "description": "Entities and properties the log names.", "type": "array", "items": { "$ref": "#/$defs/place" } },
              "objects": { "type": "array", "items": { "type": "string", "pattern": "^x-coredata://" } },
              "hashes": { "description": "Version hashes by entity; of a migration those of the model it starts from.", "type": "object", "additionalProperties": { "$ref": "#/$defs/hash" } },
              "destinationHashes": { "description": "Version hashes of the model a migration leads to, by entity.", "type": "object", "additionalProperties": { "$ref": "#/$defs/hash" } },
              "relationships": { "description": "Relationships that are named without their entity.", "type": "array", "items": { "type": "string" } },
              "statements": { "description": "Statements that Core Data ran, each once.", "type": "array", "items": { "$ref": "#/$defs/loggedStatement" } },
              "schemaNames": { "description": "Tables, and columns after a dot, that SQLite names.", "type": "array", "items": { "type": "string" } },
              "leadsToDeletion": { "description": "Whether apps that meet this text are known to delete the store.", "type": "boolean" },
              "isCutOff": { "description": "Whether the log was longer than is read.", "type": "boolean" },
              "joinedLines": { "description": "How many line breaks within an entry, as a mail or a terminal makes them, were left out.", "type": "integer", "minimum": 0 }
            }
          },
          "store": { "$ref": "#/$defs/store", "required": ["path", "versionIdentifiers", "modelSource"] }
        },
        "$defs": {
          "store": {
            "description": "What a store says of itself, of one shape in every document. What the command does not look at is left out.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "description": "As given, or as found in the folder that was given.", "type": "string" },
              "pathBytes": { "description": "The path in base-64, byte for byte, where it is not UTF-8.", "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" },
              "uuid": { "type": "string" },
              "frameworkVersion": { "description": "Of the framework that last wrote the metadata.", "type": "integer" },
              "versionIdentifiers": { "description": "Text given by the developer.", "type": "array", "items": { "type": "string" } },
              "modelSource": { "description": "Where the description of the entities comes from.", "enum": ["cache", "given", "inferred"] },
              "digest": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it.", "type": "string", "pattern": "^[A-Za-z0-9+/]{86}==$" },
              "checksum": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it; also where an older framework did not.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
              "reading": {
                "description": "What the answer rests on.",
                "type": "object",
                "additionalProperties": false,
                "required": ["complete", "sound", "log", "accessTimes"],
                "properties": {
                  "complete": { "description": "Whether all that was saved is in what was read.", "enum": ["yes", "no", "unknown"] },
                  "sound": { "description": "Whether the tables that were read show all their rows; unknown where pages were not looked at.", "enum": ["yes", "no", "unknown"] },
                  "log": { "description": "What became of the write-ahead log: read; none; foreign, so not read; or leftOut, as was asked for.", "enum": ["read", "none", "foreign", "leftOut"] },
                  "namedLog": { "description": "The log that --wal named, which was read in place of the one beside the store.", "type": "string" },
                  "fittingLogs": { "description": "Logs beside the store under other names that fit and were not read.", "type": "array", "items": { "type": "string" } },
                  "unfinishedRepair": { "description": "The journal of a repair in place that stopped before its end, beside the store.", "type": "string" },
                  "abandonedJournal": { "description": "The folder that a repair in place or an undo left when it was ended before it changed anything.", "type": "string" },
                  "journal": { "description": "There where a hot rollback journal was applied in memory.", "const": "applied" },
                  "accessTimes": { "description": "Whether reading left the files' access times alone.", "enum": ["kept", "mayHaveChanged"] },
                  "reasons": { "description": "Why it is not complete, or why that is not known.", "type": "array", "items": { "type": "string" } },
                  "unread": { "description": "What the store has and what could not be read of it, besides rows: its metadata, or its model cache.", "type": "array", "items": { "type": "string" } },
                  "damage": { "description": "What is damaged of the tables that were read.", "type": "array", "items": { "type": "string" } }
                }
              },
              "asOf": { "description": "The commit of its write-ahead log as of which the store was read; absent where all of it was.", "type": "object", "additionalProperties": false, "required": ["commit", "commits"], "properties": { "commit": { "description": "Counted from 1; 0 is before the first.", "type": "integer", "minimum": 0 }, "commits": { "description": "How many the log has.", "type": "integer", "minimum": 0 } } },
              "hashes": { "description": "Entity to version hash, in hex digits.", "type": "object", "additionalProperties": { "type": "string", "pattern": "^[0-9a-f]{64}$" } },
              "fingerprint": { "description": "SHA-256 over the main file and the committed frames of the WAL.", "type": "string", "pattern": "^[0-9a-f]{64}$" },
              "files": {
                "description": "The main file first, then what lies beside it.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["role", "bytes"],
                  "properties": {
                    "role": { "enum": ["main", "wal", "shm", "journal", "support"] },
                    "bytes": { "type": "integer", "minimum": 0 },
                    "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" }
                  }
                }
              },
              "journalMode": { "enum": ["wal", "delete"] },
              "pageSize": { "enum": [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536] },
              "freePages": { "type": "integer", "minimum": 0 },
              "wal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["frames", "committedFrames", "framesNotInMain", "belongsToStore", "reasons", "read"],
                "properties": {
                  "frames": { "type": "integer", "minimum": 0 },
                  "committedFrames": { "type": "integer", "minimum": 0 },
                  "framesNotInMain": { "type": "integer", "minimum": 0 },
                  "belongsToStore": { "enum": ["yes", "no", "unknown"] },
                  "reasons": { "type": "array", "items": { "type": "string" } },
                  "read": { "description": "Whether the rows that are shown include it.", "type": "boolean" }
                }
              },
              "hotJournal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["pagesRestored"],
                "properties": { "pagesRestored": { "type": "integer", "minimum": 0 } }
              },
              "accessTimesKept": { "type": "boolean" }
            }
          },
          "id": { "type": "string", "pattern": "^SD[1-9][0-9][0-9]$" },
          "domain": { "enum": ["NSCocoaErrorDomain", "NSSQLiteErrorDomain"] },
          "check": {
            "type": "object",
            "additionalProperties": false,
            "required": ["id", "name", "severity", "summary", "text"],
            "properties": {
              "id": { "$ref": "#/$defs/id" },
              "name": { "type": "string" },
              "severity": { "enum": ["error", "warning", "note"] },
              "summary": { "type": "string" },
              "text": { "description": "Markdown under four headings.", "type": "string" }
            }
          },
          "error": {
            "type": "object",
            "additionalProperties": false,
            "required": ["domain", "code", "cause", "checks", "basis"],
            "properties": {
              "domain": { "$ref": "#/$defs/domain" },
              "code": { "type": "integer" },
              "symbol": { "type": "string" },
              "cause": { "type": "string" },
              "inFile": { "description": "What a store's file tells about it.", "type": "string" },
              "checks": { "type": "array", "items": { "$ref": "#/$defs/id" } },
              "basis": { "enum": ["observed", "documented", "assumed"] }
            }
          },
          "code": {
            "type": "object",
            "additionalProperties": false,
            "required": ["domain", "code", "line"],
            "properties": {
              "domain": { "$ref": "#/$defs/domain" },
              "code": { "type": "integer" },
              "line": { "description": "Counted from 1.", "type": "integer", "minimum": 1 }
            }
          },
          "reason": {
            "type": "object",
            "additionalProperties": false,
            "required": ["words", "meaning", "checks", "leadsToDeletion", "basis"],
            "properties": {
              "words": { "type": "string" },
              "meaning": { "type": "string" },
              "checks": { "type": "array", "items": { "$ref": "#/$defs/id" } },
              "leadsToDeletion": { "type": "boolean" },
              "basis": { "enum": ["observed", "documented", "assumed"] }
            }
          },
          "loggedStatement": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "tables", "columns", "line", "count"],
            "properties": {
              "kind": { "description": "schema: makes, changes or drops a table or an index.", "enum": ["select", "insert", "update", "delete", "schema"] },
              "tables": { "type": "array", "minItems": 1, "items": { "type": "string" } },
              "columns": { "description": "Tables and columns, with a dot between.", "type": "array", "items": { "type": "string" } },
              "key": { "description": "The column whose value its condition asks for.", "type": "string" },
              "line": { "description": "The first it was met in, counted from 1.", "type": "integer", "minimum": 1 },
              "count": { "description": "How many times it was met.", "type": "integer", "minimum": 1 }
            }
          },
          "place": {
            "type": "object",
            "additionalProperties": false,
            "required": ["entity"],
            "properties": {
              "entity": { "type": "string" }, "property": { "type": "string" },
              "brokenEntity": { "description": "The first part of the entity's name, where the log breaks it; if it is the whole of it, the rest is not in the log.", "type": "string" }
            }
          },
          "hash": {
            "description": "Newer systems print the first and last bytes only.",
            "type": "object",
            "additionalProperties": false,
            "required": ["first"],
            "properties": {
              "first": { "type": "string", "pattern": "^[0-9a-f]*$" },
              "last": { "type": "string", "pattern": "^[0-9a-f]+$" }
            }
          },
          "statement": {
            "type": "object",
            "additionalProperties": false,
            "required": ["subject", "words"],
            "properties": {
              "subject": { "type": "string" },
              "holds": { "description": "Whether the store has it; left out where that cannot be told.", "type": "boolean" },
              "words": { "type": "string" }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "inspection", id: "storedoctor.inspection/2",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.inspection/2",
        "title": "storedoctor.inspection/2",
        "description": "What `storedoctor inspect --format json` prints. Members that are not required are left out when there is nothing to say; null is never written.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "store", "metadata", "model", "entities", "joinTables", "history", "cloudKit", "externalData", "unexplained", "problems"],
        "properties": {
          "schema": { "const": "storedoctor.inspection/2" },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version"],
            "properties": { "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+" } }
          },
          "store": { "$ref": "#/$defs/store", "required": ["path", "versionIdentifiers", "modelSource", "files", "journalMode", "pageSize", "freePages", "accessTimesKept"] },
          "metadata": { "$ref": "#/$defs/metadata" },
          "model": {
            "type": "object",
            "additionalProperties": false,
            "required": ["source"],
            "properties": {
              "source": { "description": "Where the description of the entities comes from.", "enum": ["cache", "given", "inferred"] },
              "path": { "description": "The model given with --store-model.", "type": "string" },
              "hashesEqual": { "description": "Whether the hashes computed from the model equal the metadata's.", "type": "boolean" }
            }
          },
          "entities": { "description": "By number; only those asked for with --entity.", "type": "array", "items": { "$ref": "#/$defs/entity" } },
          "joinTables": { "type": "array", "items": { "$ref": "#/$defs/joinTable" } },
          "history": {
            "type": "object",
            "additionalProperties": false,
            "required": ["present"],
            "properties": {
              "present": { "type": "boolean" },
              "transactions": { "$ref": "#/$defs/count" },
              "changes": { "$ref": "#/$defs/count" },
              "oldest": { "$ref": "#/$defs/time" },
              "newest": { "$ref": "#/$defs/time" },
              "goneTransactions": { "description": "Numbers of transactions that were handed out and are not there: trimmed, or never saved. Left out when there are none.", "type": "array", "items": { "$ref": "#/$defs/goneNumbers" } },
              "goneChanges": { "description": "Likewise of changes.", "type": "array", "items": { "$ref": "#/$defs/goneNumbers" } },
              "bytes": { "description": "With --sizes: bytes of its tables with their indexes.", "$ref": "#/$defs/count" }
            }
          },
          "deleted": {
            "description": "Entities of which objects are known to be deleted, from counts and the history alone; left out when none is. What is left of them `storedoctor recover` finds.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": ["entity"],
              "properties": {
                "entity": { "type": "string" },
                "proved": { "description": "Objects that a delete change of the history names and that do not exist; left out without history.", "$ref": "#/$defs/count" },
                "atLeast": { "description": "There may be more of them; only the first million were counted.", "const": true },
                "unusedKeys": { "description": "Of a root entity, with its subentities: keys up to the highest handed out that no row has; deleted, proved ones among them, or never saved.", "$ref": "#/$defs/count" }
              }
            }
          },
          "cloudKit": {
            "type": "object",
            "additionalProperties": false,
            "required": ["mirrored"],
            "properties": {
              "mirrored": { "type": "boolean" },
              "entities": {
                "description": "With --cloudkit, in a mirrored store whose records can be read: how far the objects of each entity are mirrored, as the store believes.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["entity", "objects", "uploaded", "waiting", "toBeDeleted", "ghosts", "withoutRecord"],
                  "properties": {
                    "entity": { "type": "string" },
                    "objects": { "description": "Without those of subentities.", "type": "integer", "minimum": 0 },
                    "uploaded": { "description": "Objects whose record the server has.", "type": "integer", "minimum": 0 },
                    "waiting": { "description": "Objects that are still to be sent, or have a change that is.", "type": "integer", "minimum": 0 },
                    "toBeDeleted": { "description": "Records to be deleted on the server, and objects to be deleted here.", "type": "integer", "minimum": 0 },
                    "ghosts": { "description": "Records without an object that are not marked for deletion.", "type": "integer", "minimum": 0 },
                    "withoutRecord": { "description": "Objects without a record, which are sent as new.", "type": "integer", "minimum": 0 }
                  }
                }
              },
              "unknownRecords": { "description": "With `entities`: records of entities that the store does not know.", "type": "integer", "minimum": 0 }
            }
          },
          "externalData": {
            "type": "object",
            "additionalProperties": false,
            "required": ["references"],
            "properties": {
              "references": { "$ref": "#/$defs/count" },
              "found": { "$ref": "#/$defs/count" },
              "missing": { "$ref": "#/$defs/count" }
            }
          },
          "unexplained": { "type": "array", "items": { "$ref": "#/$defs/unexplained" } },
          "problems": { "description": "What is damaged, missing or contradictory, one sentence each.", "$ref": "#/$defs/strings" },
          "commits": { "description": "With --commits: the commits of the write-ahead log, beginning with 0, the store before the first; empty without a log.", "type": "array", "items": { "$ref": "#/$defs/commit" } }
        },
        "$defs": {
          "goneNumbers": {
            "type": "object",
            "additionalProperties": false,
            "required": ["first", "last", "count"],
            "properties": {
              "first": { "type": "integer", "minimum": 1 },
              "last": { "type": "integer", "minimum": 1 },
              "count": { "description": "How many of those from first to last are gone.", "type": "integer", "minimum": 1 }
            }
          },
          "commit": {
            "type": "object",
            "additionalProperties": false,
            "required": ["number", "frames", "pages", "databasePages", "readable"],
            "properties": {
              "number": { "type": "integer", "minimum": 0 },
              "frames": { "description": "That it wrote.", "$ref": "#/$defs/count" },
              "pages": { "description": "Different pages that it wrote.", "$ref": "#/$defs/count" },
              "databasePages": { "description": "Pages of the database after it.", "$ref": "#/$defs/count" },
              "readable": { "description": "Whether the store can be read as of it.", "type": "boolean" },
              "why": { "description": "Why it cannot be read.", "type": "string" },
              "changes": {
                "description": "What it changed; absent for 0, and where it or the one before it cannot be read.",
                "type": "object",
                "additionalProperties": false,
                "required": ["schema", "entities", "tables"],
                "properties": {
                  "schema": { "description": "Whether tables, indexes or other objects of the schema changed.", "type": "boolean" },
                  "entities": { "type": "array", "items": { "$ref": "#/$defs/rowChange" } },
                  "tables": { "description": "Tables without entities.", "type": "array", "items": { "$ref": "#/$defs/rowChange" } },
                  "firstTransaction": { "description": "The earliest history transaction that it wrote.", "$ref": "#/$defs/time" },
                  "lastTransaction": { "description": "The latest history transaction that it wrote.", "$ref": "#/$defs/time" },
                  "unknownTables": { "description": "Tables of which changes are not known, because pages are damaged.", "$ref": "#/$defs/strings" },
                  "unplacedPages": { "description": "Pages of long values whose rows are not known.", "$ref": "#/$defs/count" }
                }
              }
            }
          },
          "rowChange": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "table", "added", "changed", "removed"],
            "properties": {
              "name": { "description": "The entity's name in Z_PRIMARYKEY, or the table's.", "type": "string" },
              "number": { "description": "The entity's number.", "type": "integer" },
              "table": { "type": "string" },
              "added": { "$ref": "#/$defs/count" },
              "changed": { "$ref": "#/$defs/count" },
              "removed": { "$ref": "#/$defs/count" }
            }
          },
          "store": {
            "description": "What a store says of itself, of one shape in every document. What the command does not look at is left out.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "description": "As given, or as found in the folder that was given.", "type": "string" },
              "pathBytes": { "description": "The path in base-64, byte for byte, where it is not UTF-8.", "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" },
              "uuid": { "type": "string" },
              "frameworkVersion": { "description": "Of the framework that last wrote the metadata.", "type": "integer" },
              "versionIdentifiers": { "description": "Text given by the developer.", "type": "array", "items": { "type": "string" } },
              "modelSource": { "description": "Where the description of the entities comes from.", "enum": ["cache", "given", "inferred"] },
              "digest": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it.", "type": "string", "pattern": "^[A-Za-z0-9+/]{86}==$" },
              "checksum": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it; also where an older framework did not.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
              "reading": {
                "description": "What the answer rests on.",
                "type": "object",
                "additionalProperties": false,
                "required": ["complete", "sound", "log", "accessTimes"],
                "properties": {
                  "complete": { "description": "Whether all that was saved is in what was read.", "enum": ["yes", "no", "unknown"] },
                  "sound": { "description": "Whether the tables that were read show all their rows; unknown where pages were not looked at.", "enum": ["yes", "no", "unknown"] },
                  "log": { "description": "What became of the write-ahead log: read; none; foreign, so not read; or leftOut, as was asked for.", "enum": ["read", "none", "foreign", "leftOut"] },
                  "namedLog": { "description": "The log that --wal named, which was read in place of the one beside the store.", "type": "string" },
                  "fittingLogs": { "description": "Logs beside the store under other names that fit and were not read.", "type": "array", "items": { "type": "string" } },
                  "unfinishedRepair": { "description": "The journal of a repair in place that stopped before its end, beside the store.", "type": "string" },
                  "abandonedJournal": { "description": "The folder that a repair in place or an undo left when it was ended before it changed anything.", "type": "string" },
                  "journal": { "description": "There where a hot rollback journal was applied in memory.", "const": "applied" },
                  "accessTimes": { "description": "Whether reading left the files' access times alone.", "enum": ["kept", "mayHaveChanged"] },
                  "reasons": { "description": "Why it is not complete, or why that is not known.", "type": "array", "items": { "type": "string" } },
                  "unread": { "description": "What the store has and what could not be read of it, besides rows: its metadata, or its model cache.", "type": "array", "items": { "type": "string" } },
                  "damage": { "description": "What is damaged of the tables that were read.", "type": "array", "items": { "type": "string" } }
                }
              },
              "asOf": { "description": "The commit of its write-ahead log as of which the store was read; absent where all of it was.", "type": "object", "additionalProperties": false, "required": ["commit", "commits"], "properties": { "commit": { "description": "Counted from 1; 0 is before the first.", "type": "integer", "minimum": 0 }, "commits": { "description": "How many the log has.", "type": "integer", "minimum": 0 } } },
              "hashes": { "description": "Entity to version hash, in hex digits.", "type": "object", "additionalProperties": { "type": "string", "pattern": "^[0-9a-f]{64}$" } },
              "fingerprint": { "description": "SHA-256 over the main file and the committed frames of the WAL.", "type": "string", "pattern": "^[0-9a-f]{64}$" },
              "files": {
                "description": "The main file first, then what lies beside it.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["role", "bytes"],
                  "properties": {
                    "role": { "enum": ["main", "wal", "shm", "journal", "support"] },
                    "bytes": { "type": "integer", "minimum": 0 },
                    "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" }
                  }
                }
              },
              "journalMode": { "enum": ["wal", "delete"] },
              "pageSize": { "enum": [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536] },
              "freePages": { "type": "integer", "minimum": 0 },
              "wal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["frames", "committedFrames", "framesNotInMain", "belongsToStore", "reasons", "read"],
                "properties": {
                  "frames": { "type": "integer", "minimum": 0 },
                  "committedFrames": { "type": "integer", "minimum": 0 },
                  "framesNotInMain": { "type": "integer", "minimum": 0 },
                  "belongsToStore": { "enum": ["yes", "no", "unknown"] },
                  "reasons": { "type": "array", "items": { "type": "string" } },
                  "read": { "description": "Whether the rows that are shown include it.", "type": "boolean" }
                }
              },
              "hotJournal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["pagesRestored"],
                "properties": { "pagesRestored": { "type": "integer", "minimum": 0 } }
              },
              "accessTimesKept": { "type": "boolean" }
            }
          },
          "strings": { "type": "array", "items": { "type": "string" } },
          "count": { "type": "integer", "minimum": 0 },
          "hash": { "description": "32 bytes as lower-case hex.", "type": "string", "pattern": "^[0-9a-f]{64}$" },
          "time": {
            "description": "ISO 8601 UTC; a store may hold any number in the place of a time.",
            "type": "string",
            "pattern": "^(-?[0-9]+-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z|not a date)$"
          },
          "certainty": { "description": "How sure an inferred property is; absent where a model says it.", "enum": ["possible", "likely", "certain"] },
          "metadata": {
            "type": "object",
            "additionalProperties": false,
            "required": ["versionIdentifiers", "keys", "otherKeys"],
            "properties": {
              "uuid": { "type": "string" },
              "frameworkVersion": { "type": "integer" },
              "maximumFrameworkVersion": { "type": "integer" },
              "versionIdentifiers": { "$ref": "#/$defs/strings" },
              "hashesVersion": { "type": "integer" },
              "hashes": { "description": "Entity to version hash.", "type": "object", "additionalProperties": { "$ref": "#/$defs/hash" } },
              "digest": { "description": "As it is stored: base-64 of 64 bytes.", "type": "string" },
              "checksum": { "description": "As it is stored: base-64 of 32 bytes.", "type": "string" },
              "digestConsistent": { "type": "boolean" },
              "checksumConsistent": { "type": "boolean" },
              "keys": { "$ref": "#/$defs/strings" },
              "otherKeys": { "description": "The app's own keys.", "$ref": "#/$defs/strings" },
              "otherValues": { "description": "Only with --show-values.", "type": "object", "additionalProperties": { "type": "string" } }
            }
          },
          "entity": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "number", "root", "table", "abstract", "attributes", "relationships", "uniquenessConstraints"],
            "properties": {
              "name": { "description": "As Z_PRIMARYKEY has it.", "type": "string" },
              "modelName": { "description": "The model's name, where a rename left them different.", "type": "string" },
              "number": { "type": "integer" },
              "parent": { "type": "string" },
              "root": { "type": "string" },
              "table": { "type": "string" },
              "abstract": { "type": "boolean" },
              "internal": { "description": "Of history or CloudKit.", "const": true },
              "rows": { "description": "Of this entity alone; absent when they could not be counted.", "$ref": "#/$defs/count" },
              "highWater": { "description": "Z_MAX.", "type": "integer" },
              "versionHash": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                  "stored": { "$ref": "#/$defs/hash" },
                  "computed": { "$ref": "#/$defs/hash" },
                  "equal": { "type": "boolean" },
                  "unproven": { "description": "Rules of the hash that no real file has confirmed.", "$ref": "#/$defs/strings" }
                }
              },
              "attributes": { "type": "array", "items": { "$ref": "#/$defs/attribute" } },
              "relationships": { "type": "array", "items": { "$ref": "#/$defs/relationship" } },
              "uniquenessConstraints": { "type": "array", "items": { "$ref": "#/$defs/strings" } },
              "bytes": { "description": "Of a root entity's table and its indexes, with --sizes.", "$ref": "#/$defs/count" },
              "indexes": {
                "description": "Only with --entity.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["name", "columns", "unique"],
                  "properties": {
                    "name": { "type": "string" },
                    "columns": { "$ref": "#/$defs/strings" },
                    "unique": { "type": "boolean" },
                    "partial": { "const": true }
                  }
                }
              }
            }
          },
          "attribute": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "columns", "type", "optional"],
            "properties": {
              "name": { "type": "string" },
              "declaredBy": { "description": "The entity it is inherited from.", "type": "string" },
              "columns": { "$ref": "#/$defs/strings" },
              "missingColumns": { "$ref": "#/$defs/strings" },
              "type": { "type": "string" },
              "optional": { "type": "boolean" },
              "transient": { "const": true },
              "derived": { "const": true },
              "externalStorage": { "const": true },
              "certainty": { "$ref": "#/$defs/certainty" },
              "nulls": { "description": "Column to number of NULLs, with --entity.", "type": "object", "additionalProperties": { "$ref": "#/$defs/count" } }
            }
          },
          "relationship": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "toMany", "ordered", "optional"],
            "properties": {
              "name": { "type": "string" },
              "declaredBy": { "description": "The entity it is inherited from.", "type": "string" },
              "destination": { "type": "string" },
              "inverse": { "type": "string" },
              "toMany": { "type": "boolean" },
              "ordered": { "type": "boolean" },
              "optional": { "type": "boolean" },
              "transient": { "const": true },
              "table": { "description": "The table that holds the links, where it is not the entity's own.", "type": "string" },
              "column": { "type": "string" },
              "companionColumn": { "type": "string" },
              "orderColumn": { "type": "string" },
              "joinTable": { "type": "string" },
              "certainty": { "$ref": "#/$defs/certainty" },
              "nulls": { "description": "With --entity.", "$ref": "#/$defs/count" }
            }
          },
          "joinTable": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "source", "destination"],
            "properties": {
              "name": { "type": "string" },
              "source": { "$ref": "#/$defs/end" },
              "destination": { "$ref": "#/$defs/end" },
              "orderColumns": { "$ref": "#/$defs/strings" },
              "rows": { "$ref": "#/$defs/count" },
              "bytes": { "description": "With --sizes.", "$ref": "#/$defs/count" }
            }
          },
          "end": {
            "type": "object",
            "additionalProperties": false,
            "required": ["entity", "relationship", "column"],
            "properties": {
              "entity": { "type": "string" },
              "relationship": { "type": "string" },
              "column": { "type": "string" }
            }
          },
          "unexplained": {
            "anyOf": [
              {
                "type": "object",
                "additionalProperties": false,
                "required": ["table", "why"],
                "properties": { "table": { "type": "string" }, "column": { "type": "string" }, "why": { "type": "string" } }
              },
              {
                "type": "object",
                "additionalProperties": false,
                "required": ["index", "why"],
                "properties": { "index": { "type": "string" }, "why": { "type": "string" } }
              }
            ]
          }
        }
      }

      """#),
  JSONSchema(
    kind: "journal", id: "storedoctor.journal/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.journal/1",
        "title": "storedoctor.journal/1",
        "description": "`journal.json` in the folder that `storedoctor repair --in-place` leaves for `storedoctor undo`. Names of files are never taken from it.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "id", "state", "store", "fingerprintBefore", "backups", "changes", "entries"],
        "properties": {
          "schema": {"const": "storedoctor.journal/1"},
          "id": {"description": "What other journals know it by.", "type": "string", "pattern": "."},
          "state": {"enum": ["prepared", "applied", "undoing", "undone"]},
          "store": { "$ref": "#/$defs/store", "required": ["path", "pathBytes"] },
          "fingerprintBefore": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
          "hashListAfter": {
            "description": "Once the change is done: SHA-256 of the SHA-512 of each MiB of the main file, then of the WAL that counts, then of both sizes, in 8 bytes.",
            "type": "string",
            "pattern": "^[0-9a-f]{64}$"
          },
          "backups": {
            "description": "The store's files as they were.",
            "type": "object",
            "additionalProperties": false,
            "required": ["main"],
            "properties": {"main": {"$ref": "#/$defs/file"}, "wal": {"$ref": "#/$defs/file"}, "journal": {"$ref": "#/$defs/file"}}
          },
          "changes": {
            "description": "The files changes-1, changes-2, ...: SQLite changesets.",
            "type": "array",
            "items": {"$ref": "#/$defs/file"}
          },
          "entries": {
            "description": "What changesets cannot carry.",
            "type": "array",
            "items": {"anyOf": [{"$ref": "#/$defs/rows"}, {"$ref": "#/$defs/index"}, {"$ref": "#/$defs/externalFile"}, {"$ref": "#/$defs/compacted"}]}
          },
          "undoes": {"description": "The id of the journal that this change undid.", "type": "string"},
          "onlyWhole": {
            "description": "Why the change can be taken back only as a whole, and not row by row. Absent where both are possible.",
            "type": "string",
            "pattern": "."
          }
        },
        "$defs": {
          "store": {
            "description": "What a store says of itself, of one shape in every document. What the command does not look at is left out.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "description": "As given, or as found in the folder that was given.", "type": "string" },
              "pathBytes": { "description": "The path in base-64, byte for byte, where it is not UTF-8.", "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" },
              "uuid": { "type": "string" },
              "frameworkVersion": { "description": "Of the framework that last wrote the metadata.", "type": "integer" },
              "versionIdentifiers": { "description": "Text given by the developer.", "type": "array", "items": { "type": "string" } },
              "modelSource": { "description": "Where the description of the entities comes from.", "enum": ["cache", "given", "inferred"] },
              "digest": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it.", "type": "string", "pattern": "^[A-Za-z0-9+/]{86}==$" },
              "checksum": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it; also where an older framework did not.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
              "reading": {
                "description": "What the answer rests on.",
                "type": "object",
                "additionalProperties": false,
                "required": ["complete", "sound", "log", "accessTimes"],
                "properties": {
                  "complete": { "description": "Whether all that was saved is in what was read.", "enum": ["yes", "no", "unknown"] },
                  "sound": { "description": "Whether the tables that were read show all their rows; unknown where pages were not looked at.", "enum": ["yes", "no", "unknown"] },
                  "log": { "description": "What became of the write-ahead log: read; none; foreign, so not read; or leftOut, as was asked for.", "enum": ["read", "none", "foreign", "leftOut"] },
                  "namedLog": { "description": "The log that --wal named, which was read in place of the one beside the store.", "type": "string" },
                  "fittingLogs": { "description": "Logs beside the store under other names that fit and were not read.", "type": "array", "items": { "type": "string" } },
                  "unfinishedRepair": { "description": "The journal of a repair in place that stopped before its end, beside the store.", "type": "string" },
                  "abandonedJournal": { "description": "The folder that a repair in place or an undo left when it was ended before it changed anything.", "type": "string" },
                  "journal": { "description": "There where a hot rollback journal was applied in memory.", "const": "applied" },
                  "accessTimes": { "description": "Whether reading left the files' access times alone.", "enum": ["kept", "mayHaveChanged"] },
                  "reasons": { "description": "Why it is not complete, or why that is not known.", "type": "array", "items": { "type": "string" } },
                  "unread": { "description": "What the store has and what could not be read of it, besides rows: its metadata, or its model cache.", "type": "array", "items": { "type": "string" } },
                  "damage": { "description": "What is damaged of the tables that were read.", "type": "array", "items": { "type": "string" } }
                }
              },
              "asOf": { "description": "The commit of its write-ahead log as of which the store was read; absent where all of it was.", "type": "object", "additionalProperties": false, "required": ["commit", "commits"], "properties": { "commit": { "description": "Counted from 1; 0 is before the first.", "type": "integer", "minimum": 0 }, "commits": { "description": "How many the log has.", "type": "integer", "minimum": 0 } } },
              "hashes": { "description": "Entity to version hash, in hex digits.", "type": "object", "additionalProperties": { "type": "string", "pattern": "^[0-9a-f]{64}$" } },
              "fingerprint": { "description": "SHA-256 over the main file and the committed frames of the WAL.", "type": "string", "pattern": "^[0-9a-f]{64}$" },
              "files": {
                "description": "The main file first, then what lies beside it.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["role", "bytes"],
                  "properties": {
                    "role": { "enum": ["main", "wal", "shm", "journal", "support"] },
                    "bytes": { "type": "integer", "minimum": 0 },
                    "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" }
                  }
                }
              },
              "journalMode": { "enum": ["wal", "delete"] },
              "pageSize": { "enum": [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536] },
              "freePages": { "type": "integer", "minimum": 0 },
              "wal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["frames", "committedFrames", "framesNotInMain", "belongsToStore", "reasons", "read"],
                "properties": {
                  "frames": { "type": "integer", "minimum": 0 },
                  "committedFrames": { "type": "integer", "minimum": 0 },
                  "framesNotInMain": { "type": "integer", "minimum": 0 },
                  "belongsToStore": { "enum": ["yes", "no", "unknown"] },
                  "reasons": { "type": "array", "items": { "type": "string" } },
                  "read": { "description": "Whether the rows that are shown include it.", "type": "boolean" }
                }
              },
              "hotJournal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["pagesRestored"],
                "properties": { "pagesRestored": { "type": "integer", "minimum": 0 } }
              },
              "accessTimesKept": { "type": "boolean" }
            }
          },
          "file": {
            "type": "object",
            "additionalProperties": false,
            "required": ["bytes", "sha256"],
            "properties": {"bytes": {"type": "integer", "minimum": 0}, "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}}
          },
          "rows": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "table", "columns", "removed", "added"],
            "properties": {
              "kind": {"const": "rows"},
              "table": {"type": "string"},
              "columns": {"type": "array", "items": {"type": "string"}},
              "removed": {"type": "array", "items": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/value"}}},
              "added": {"type": "array", "items": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/value"}}}
            }
          },
          "index": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "name"],
            "properties": {
              "kind": {"const": "index"},
              "name": {"type": "string"},
              "before": {"description": "The statement that makes it as it was; none where there was none.", "type": "string"},
              "after": {"type": "string"}
            }
          },
          "externalFile": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "name", "isMovedAside"],
            "properties": {
              "kind": {"const": "externalFile"},
              "name": {"type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$"},
              "isMovedAside": {"type": "boolean"}
            }
          },
          "compacted": {
            "description": "The file was written anew without its free pages, after the commit.",
            "type": "object",
            "additionalProperties": false,
            "required": ["kind"],
            "properties": {"kind": {"const": "compacted"}}
          },
          "value": {
            "description": "A value as SQLite stores it: reals as their 64 bits, which text would round; text and bytes in base64.",
            "anyOf": [
              {"type": "null"},
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "required": ["integer"],
                "properties": {"integer": {"type": "integer"}}
              },
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "required": ["real"],
                "properties": {"real": {"type": "integer"}}
              },
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "required": ["text"],
                "properties": {"text": {"type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$"}}
              },
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "required": ["blob"],
                "properties": {"blob": {"type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$"}}
              }
            ]
          }
        }
      }

      """#),
  JSONSchema(
    kind: "lint", id: "storedoctor.lint/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.lint/1",
        "title": "storedoctor.lint/1",
        "description": "What `storedoctor lint --format json` prints. Members that are not required are left out when there is nothing to say; null is never written.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "paths", "source", "findings", "silenced", "skipped"],
        "properties": {
          "schema": { "const": "storedoctor.lint/1" },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version"],
            "properties": { "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+" } }
          },
          "paths": { "description": "As given.", "type": "array", "items": { "type": "string" } },
          "source": {
            "description": "What was read.",
            "type": "object",
            "additionalProperties": false,
            "required": ["files", "parsedFiles", "versions", "plans", "problems"],
            "properties": {
              "files": { "description": "Swift files that were looked at.", "type": "integer" },
              "parsedFiles": { "description": "Those of them that have to do with SwiftData.", "type": "integer" },
              "versions": { "description": "The types that conform to VersionedSchema.", "type": "array", "items": { "type": "string" } },
              "plans": { "description": "The types that conform to SchemaMigrationPlan.", "type": "array", "items": { "type": "string" } },
              "problems": { "description": "What could not be read.", "type": "array", "items": { "$ref": "#/$defs/note" } }
            }
          },
          "findings": { "description": "By place.", "type": "array", "items": { "$ref": "#/$defs/finding" } },
          "silenced": {
            "description": "Findings that a comment in the source accepts.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": ["finding", "reason"],
              "properties": {
                "finding": { "$ref": "#/$defs/finding" },
                "reason": { "description": "The comment's words; empty where it gives none, which is a finding of its own.", "type": "string" }
              }
            }
          },
          "skipped": {
            "description": "What was not checked, by check.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": ["check", "reason"],
              "properties": {
                "check": { "$ref": "#/$defs/id" },
                "reason": { "type": "string" },
                "place": { "$ref": "#/$defs/place" },
                "undecided": { "description": "It was asked for and is not known: the source has not passed, and the exit status is 2 where no finding is at the gate.", "const": true }
              }
            }
          },
          "config": {
            "description": "The configuration that held, and what it did.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path", "muted"],
            "properties": {
              "path": { "type": "string" },
              "muted": {
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["check", "reason", "findings"],
                  "properties": {
                    "check": { "$ref": "#/$defs/id" },
                    "entity": { "type": "string" },
                    "property": { "type": "string" },
                    "reason": { "type": "string" },
                    "findings": { "description": "How many it muted.", "type": "integer" }
                  }
                }
              },
              "severities": { "description": "By check.", "type": "object", "additionalProperties": { "$ref": "#/$defs/severity" } }
            }
          }
        },
        "$defs": {
          "id": { "type": "string", "pattern": "^SD9[0-9][0-9]$" },
          "severity": { "enum": ["note", "warning", "error"] },
          "place": {
            "type": "object",
            "additionalProperties": false,
            "required": ["file", "line", "column", "offset", "length"],
            "properties": {
              "file": { "description": "As given, or as found below what was given.", "type": "string" },
              "line": { "description": "From 1.", "type": "integer" },
              "column": { "description": "In bytes of UTF-8, from 1.", "type": "integer" },
              "offset": { "description": "The first byte, from 0.", "type": "integer" },
              "length": { "description": "Bytes of UTF-8.", "type": "integer" }
            }
          },
          "note": {
            "type": "object",
            "additionalProperties": false,
            "required": ["message"],
            "properties": { "message": { "type": "string" }, "place": { "$ref": "#/$defs/place" } }
          },
          "finding": {
            "type": "object",
            "additionalProperties": false,
            "required": ["id", "name", "severity", "place", "message", "notes", "fingerprint"],
            "properties": {
              "id": { "$ref": "#/$defs/id" },
              "name": { "type": "string" },
              "severity": { "$ref": "#/$defs/severity" },
              "place": { "$ref": "#/$defs/place" },
              "schema": { "description": "The version it is about.", "type": "string" },
              "entity": { "description": "The class's own name.", "type": "string" },
              "property": { "type": "string" },
              "message": { "description": "Lower case, without full stop.", "type": "string" },
              "notes": { "description": "What belongs to it, at other places.", "type": "array", "items": { "$ref": "#/$defs/note" } },
              "fix": {
                "type": "object",
                "additionalProperties": false,
                "required": ["summary", "certain", "edits"],
                "properties": {
                  "summary": { "type": "string" },
                  "certain": { "description": "Whether --fix makes it.", "type": "boolean" },
                  "edits": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "additionalProperties": false,
                      "required": ["file", "offset", "length", "replacement"],
                      "properties": {
                        "file": { "type": "string" },
                        "offset": { "type": "integer" },
                        "length": { "type": "integer" },
                        "replacement": { "type": "string" }
                      }
                    }
                  }
                }
              },
              "excerpt": { "description": "The source line of the place, unless it is very long.", "type": "string" },
              "fingerprint": { "description": "16 hex digits of check, file, version, entity and property.", "type": "string", "pattern": "^[0-9a-f]{16}$" }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "migration", id: "storedoctor.migration/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.migration/1",
        "title": "storedoctor.migration/1",
        "description": "What `storedoctor migrate --format json` prints of a migration that was performed, or tried out with --dry-run. Where the models do not migrate the store it prints a diagnosis instead. No values of rows are in it.",
        "type": "object",
        "additionalProperties": false,
        "required": [
          "schema",
          "tool",
          "source",
          "verdict",
          "model",
          "hops",
          "assumed",
          "losses"
        ],
        "properties": {
          "schema": {
            "const": "storedoctor.migration/1"
          },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "version"
            ],
            "properties": {
              "version": {
                "type": "string",
                "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"
              }
            }
          },
          "source": {
            "description": "The store, which was only read.",
            "type": "string"
          },
          "reading": {
            "description": "What the answer rests on.",
            "type": "object",
            "additionalProperties": false,
            "required": ["complete", "sound", "log", "accessTimes"],
            "properties": {
              "complete": { "description": "Whether all that was saved is in what was read.", "enum": ["yes", "no", "unknown"] },
              "sound": { "description": "Whether the tables that were read show all their rows; unknown where pages were not looked at.", "enum": ["yes", "no", "unknown"] },
              "log": { "description": "What became of the write-ahead log: read; none; foreign, so not read; or leftOut, as was asked for.", "enum": ["read", "none", "foreign", "leftOut"] },
              "namedLog": { "description": "The log that --wal named, which was read in place of the one beside the store.", "type": "string" },
                  "fittingLogs": { "description": "Logs beside the store under other names that fit and were not read.", "type": "array", "items": { "type": "string" } },
                  "unfinishedRepair": { "description": "The journal of a repair in place that stopped before its end, beside the store.", "type": "string" },
                  "abandonedJournal": { "description": "The folder that a repair in place or an undo left when it was ended before it changed anything.", "type": "string" },
              "journal": { "description": "There where a hot rollback journal was applied in memory.", "const": "applied" },
              "accessTimes": { "description": "Whether reading left the files' access times alone.", "enum": ["kept", "mayHaveChanged"] },
              "reasons": { "description": "Why it is not complete, or why that is not known.", "type": "array", "items": { "type": "string" } },
              "unread": { "description": "What the store has and what could not be read of it, besides rows: its metadata, or its model cache.", "type": "array", "items": { "type": "string" } },
              "damage": { "description": "What is damaged of the tables that were read.", "type": "array", "items": { "type": "string" } }
            }
          },
          "stageSwift": {
            "description": "The Swift of the stages that recipes performed, with --stage-swift. It was never run on Apple's frameworks.",
            "type": "object",
            "additionalProperties": false,
            "required": [
              "path",
              "notWritten"
            ],
            "properties": {
              "path": {
                "type": "string"
              },
              "notWritten": {
                "description": "The parts of the recipes that have no Swift, why, and what to do; each is a #warning in the file.",
                "type": "array",
                "items": {
                  "type": "string"
                }
              }
            }
          },
          "output": {
            "description": "The migrated copy; absent with --dry-run.",
            "type": "string"
          },
          "verdict": {
            "description": "What the model does with the store, known before; blocked-by-data where a recipe mended what was in the way.",
            "enum": [
              "opens",
              "migrates",
              "blocked-by-data"
            ]
          },
          "model": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "path",
              "version"
            ],
            "properties": {
              "path": {
                "type": "string"
              },
              "version": {
                "type": "string"
              }
            }
          },
          "hops": {
            "description": "The lightweight steps, in order; empty where the store opens as it is.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/hop"
            }
          },
          "assumed": {
            "description": "What is known by inference only, one sentence each.",
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "losses": {
            "description": "What the models make inevitable (SD809).",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": [
                "entity",
                "kind"
              ],
              "properties": {
                "entity": {
                  "type": "string"
                },
                "property": {
                  "type": "string"
                },
                "kind": {
                  "enum": [
                    "rows",
                    "values",
                    "links",
                    "someValues",
                    "someLinks",
                    "order"
                  ]
                },
                "objects": {
                  "description": "How many objects hold something of it; absent where that could not be counted.",
                  "type": "integer",
                  "minimum": 0
                }
              }
            }
          },
          "log": {
            "description": "The statements held against a log of an app's, with --against.",
            "type": "object",
            "additionalProperties": false,
            "required": ["planned", "logged", "equal", "differences"],
            "properties": {
              "planned": { "description": "Statements that are planned, without those for metadata, model cache and history.", "type": "integer", "minimum": 0 },
              "logged": { "description": "Such statements in the log.", "type": "integer", "minimum": 0 },
              "equal": { "description": "Whether the log has these statements, in this order.", "type": "boolean" },
              "differences": {
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["in", "position", "sql"],
                  "properties": {
                    "in": { "enum": ["log", "plan"] },
                    "position": { "description": "The number of the statement there, from 1.", "type": "integer", "minimum": 1 },
                    "sql": { "type": "string" }
                  }
                }
              }
            }
          },
          "kept": {
            "description": "Objects that are in both; absent with --dry-run.",
            "type": "integer",
            "minimum": 0
          },
          "lost": {
            "description": "Objects of entities that the target does not have; absent with --dry-run.",
            "type": "integer",
            "minimum": 0
          },
          "entities": {
            "description": "The comparison, entity by entity, as in storedoctor.comparison; absent with --dry-run.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/entity"
            }
          }
        },
        "$defs": {
          "hop": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "to",
              "tables",
              "schemaChanges",
              "indexesLeftOut",
              "statements"
            ],
            "properties": {
              "from": {
                "description": "The version it starts at; absent where no model names it.",
                "type": "string"
              },
              "to": {
                "type": "string"
              },
              "tables": {
                "type": "object",
                "additionalProperties": false,
                "required": [
                  "altered",
                  "remade",
                  "made",
                  "dropped"
                ],
                "properties": {
                  "altered": {
                    "type": "integer",
                    "minimum": 0
                  },
                  "remade": {
                    "type": "integer",
                    "minimum": 0
                  },
                  "made": {
                    "type": "integer",
                    "minimum": 0
                  },
                  "dropped": {
                    "type": "integer",
                    "minimum": 0
                  }
                }
              },
              "mapping": {
                "description": "The mapping model it went by; absent where the mapping was inferred.",
                "type": "string"
              },
              "remarks": {
                "description": "What else is worth knowing of it, in a sentence each; absent when there is none.",
                "type": "array",
                "items": {
                  "type": "string"
                }
              },
              "willMigrate": {
                    "description": "What a recipe did before the structural step, in the place of the app's code.",
                    "type": "array",
                    "items": {
                      "type": "string"
                    }
                  },
                  "didMigrate": {
                    "description": "The same after it.",
                    "type": "array",
                    "items": {
                      "type": "string"
                    }
                  },
                  "lossyOperations": {
                    "description": "Those of both by which something is lost.",
                    "type": "array",
                    "items": {
                      "type": "string"
                    }
                  },
                  "schemaChanges": {
                "description": "Statements that raise SQLite's schema cookie by 1.",
                "type": "integer",
                "minimum": 0
              },
              "indexesLeftOut": {
                "description": "Fetch indexes whose statement is not known, as Entity.index.",
                "type": "array",
                "items": {
                  "type": "string"
                }
              },
              "statements": {
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": [
                    "purpose",
                    "sql"
                  ],
                  "properties": {
                    "purpose": {
                      "enum": [
                        "drop-index",
                        "rename-join-table",
                        "rename-table",
                        "re-make-table",
                        "create-table",
                        "add-column",
                        "rename-column",
                        "fill",
                        "renumber",
                        "delete-rows",
                        "drop-table",
                        "create-index",
                        "entity-map",
                        "metadata",
                        "history"
                      ]
                    },
                    "sql": {
                      "description": "Values are parameters.",
                      "type": "string"
                    }
                  }
                }
              }
            }
          },
          "entity": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "name",
              "pairedBy",
              "before",
              "after",
              "removed",
              "added",
              "changed",
              "moved",
              "changedValues",
              "dropped",
              "new",
              "renamed"
            ],
            "properties": {
              "name": {
                "description": "In the second store.",
                "type": "string"
              },
              "nameBefore": {
                "description": "In the first store, where it is another.",
                "type": "string"
              },
              "pairedBy": {
                "description": "'key', or the attribute by which objects were paired.",
                "type": "string"
              },
              "before": {
                "type": "integer",
                "minimum": 0
              },
              "after": {
                "type": "integer",
                "minimum": 0
              },
              "removed": {
                "type": "integer",
                "minimum": 0
              },
              "added": {
                "type": "integer",
                "minimum": 0
              },
              "changed": {
                "type": "integer",
                "minimum": 0
              },
              "moved": {
                "description": "Objects with the same values under another key.",
                "type": "integer",
                "minimum": 0
              },
              "changedValues": {
                "description": "For each property, the objects with another value.",
                "type": "object",
                "additionalProperties": {
                  "type": "integer",
                  "minimum": 0
                }
              },
              "dropped": {
                "description": "Properties of the first model only.",
                "type": "array",
                "items": {
                  "$ref": "#/$defs/fate"
                }
              },
              "new": {
                "description": "Properties of the second model only.",
                "type": "array",
                "items": {
                  "$ref": "#/$defs/fate"
                }
              },
              "renamed": {
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": [
                    "before",
                    "after"
                  ],
                  "properties": {
                    "before": {
                      "type": "string"
                    },
                    "after": {
                      "type": "string"
                    }
                  }
                }
              }
            }
          },
          "fate": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "name",
              "values"
            ],
            "properties": {
              "name": {
                "type": "string"
              },
              "values": {
                "description": "Objects with a value.",
                "type": "integer",
                "minimum": 0
              },
              "constant": {
                "description": "The value all of them have, if it is one."
              }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "model-check", id: "storedoctor.model-check/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.model-check/1",
        "title": "storedoctor.model-check/1",
        "description": "What `storedoctor model check --format json` prints without pins. Members that are not required are left out when there is nothing to say; null is never written.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "path", "versions"],
        "properties": {
          "schema": { "const": "storedoctor.model-check/1" },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version"],
            "properties": { "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+" } }
          },
          "path": { "description": "The model, as given.", "type": "string" },
          "versions": {
            "description": "Every version, in the model's order; those that are named and not there last.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": ["name", "problems"],
              "properties": { "name": { "type": "string" }, "problems": { "type": "array", "items": { "$ref": "#/$defs/problem" } } }
            }
          }
        },
        "$defs": {
          "problem": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "severity", "compilerWarns", "message"],
            "properties": {
              "kind": { "enum": ["unreadable-version", "missing-version", "not-known-whole", "outdated-mapping-model", "unreadable-mapping-model", "missing-destination", "missing-inverse", "one-sided-inverse", "no-inverse", "unreadable-default", "no-entities", "unknown-source", "insecure-transformer", "refused-class"] },
              "severity": { "enum": ["error", "warning", "note"] },
              "compilerWarns": { "description": "Whether Xcode's model compiler warns of it.", "type": "boolean" },
              "entity": { "type": "string" },
              "property": { "type": "string" },
              "message": { "type": "string" },
              "places": {
                "description": "Of a problem of several properties: each, with the name of its transformer or of the class of its values where there is one.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["entity", "property"],
                  "properties": { "entity": { "type": "string" }, "property": { "type": "string" }, "name": { "type": "string" } }
                }
              }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "model-diff", id: "storedoctor.model-diff/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.model-diff/1",
        "title": "storedoctor.model-diff/1",
        "description": "What `storedoctor model diff --format json` prints. Members that are not required are left out when there is nothing to say; null is never written.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "source", "destination", "changesEnteringHash", "changes", "likelyRenames"],
        "properties": {
          "schema": { "const": "storedoctor.model-diff/1" },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version"],
            "properties": { "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+" } }
          },
          "source": { "description": "The older model.", "$ref": "#/$defs/side" },
          "destination": { "description": "The newer model.", "$ref": "#/$defs/side" },
          "hashesEqual": { "description": "Whether a store of the source opens with the destination without a migration; absent where that depends on what the source does not tell.", "type": "boolean" },
          "changesEnteringHash": { "type": "integer", "minimum": 0 },
          "lightweight": {
            "description": "What lightweight migration makes of the whole; absent when no migration is needed. Where an entity is undecided, conditions and losses are those of the others.",
            "type": "object",
            "additionalProperties": false,
            "required": ["basis", "conditions", "losses"],
            "properties": {
              "inferable": { "description": "Absent where it depends on what the source does not tell.", "type": "boolean" },
              "basis": { "$ref": "#/$defs/basis" },
              "conditions": { "description": "What the rows must be like for it to succeed.", "type": "array", "items": { "$ref": "#/$defs/condition" } },
              "losses": { "description": "What is gone after a migration that succeeds, where the store has such rows.", "type": "array", "items": { "$ref": "#/$defs/loss" } }
            }
          },
          "mapping": {
            "description": "The mapping model that leads from the one to the other: Core Data takes it before it infers one, and what it makes of the rows is not judged.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "type": "string" },
              "policies": { "description": "Classes whose code migrates objects; what they do is not known.", "type": "array", "items": { "type": "string" } },
              "conditions": { "description": "Where the mapping model does not take all objects of an entity along: what they must fulfil.", "type": "array", "items": { "type": "object", "additionalProperties": false, "required": ["entity", "condition"], "properties": { "entity": { "type": "string" }, "condition": { "type": "string" } } } }
            }
          },
          "changes": { "description": "By entity and property of the destination; those of the model as a whole last. Only entities asked for with --entity.", "type": "array", "items": { "$ref": "#/$defs/change" } },
          "likelyRenames": { "description": "Removals and additions that look like a rename without renaming identifier.", "type": "array", "items": { "$ref": "#/$defs/rename" } },
          "formsLeftOut": { "description": "Changes that say only that the two sources keep one thing in different forms, such as an index mark and the index made of it, or class names that one of them does not have. Listed with --all.", "type": "integer", "minimum": 1 },
          "unproven": { "description": "Rules of the version hash that no real store has confirmed and the hashes rest on.", "type": "array", "items": { "type": "string" } },
          "doubtful": {
            "description": "Entities that Swift source does not tell whole. What is said of them holds however they are read.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": ["entity", "changed", "reasons"],
              "properties": {
                "entity": { "type": "string" },
                "changed": { "description": "Whether it differs, as far as the source tells.", "type": "boolean" },
                "undecided": { "description": "What changed in it depends on how it is read; changes that are listed hold in all readings.", "const": true },
                "reasons": { "description": "What is not known, where, and what would settle it.", "type": "array", "items": { "type": "string" } }
              }
            }
          }
        },
        "$defs": {
          "name": { "type": "string" },
          "basis": { "enum": ["observed", "documented", "assumed"] },
          "code": { "description": "In NSCocoaErrorDomain.", "type": "integer" },
          "side": {
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "description": "As given.", "type": "string" },
              "version": { "description": "The version within a bundle.", "type": "string" }
            }
          },
          "change": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "entersHash", "migration"],
            "properties": {
              "sourceEntity": { "$ref": "#/$defs/name" },
              "sourceProperty": { "$ref": "#/$defs/name" },
              "destinationEntity": { "$ref": "#/$defs/name" },
              "destinationProperty": { "$ref": "#/$defs/name" },
              "kind": {
                "enum": [
                  "versionIdentifiers", "configurationAdded", "configurationRemoved", "configurationMembers", "fetchRequestAdded",
                  "fetchRequestRemoved", "fetchRequestChanged", "entityAdded", "entityRemoved", "entityRenamed", "parent", "abstract",
                  "hashModifier", "constraintAdded", "constraintRemoved", "constraintChanged", "className", "indexAdded",
                  "indexRemoved", "indexChanged", "compoundIndexes", "attributeAdded", "relationshipAdded", "fetchedPropertyAdded",
                  "attributeRemoved", "relationshipRemoved", "fetchedPropertyRemoved", "attributeRenamed", "relationshipRenamed",
                  "fetchedPropertyRenamed", "attributeMovedUp", "attributeMovedDown", "attributeMovedRedeclared",
                  "attributeMovedRedeclarationRemoved", "relationshipMovedUp", "relationshipMovedDown", "relationshipMovedRedeclared",
                  "relationshipMovedRedeclarationRemoved", "fetchedPropertyMovedUp", "fetchedPropertyMovedDown",
                  "fetchedPropertyMovedRedeclared", "fetchedPropertyMovedRedeclarationRemoved", "propertyKind", "optional", "transient",
                  "readOnly", "type", "externalStorage", "preservesValueInHistory", "derivation", "elements", "defaultValue",
                  "validation", "valueClass", "valueTransformer", "indexed", "locationComponents", "destination", "inverse",
                  "maximumCount", "minimumCount", "ordered", "deleteRule", "fetchedRequest", "renamingIdentifier", "userInfo"
                ]
              },
              "from": { "description": "What was, as text; absent where there was nothing.", "type": "string" },
              "to": { "description": "What is, as text; absent where there is nothing.", "type": "string" },
              "names": { "description": "The index, constraint, configuration, fetch request or elements concerned.", "type": "array", "items": { "type": "string" } },
              "entersHash": { "type": "boolean" },
              "formOnly": { "description": "Whether it says only that the two sources keep one thing in different forms.", "const": true },
              "migration": { "$ref": "#/$defs/migration" }
            }
          },
          "migration": {
            "description": "What lightweight migration makes of the change.",
            "type": "object",
            "additionalProperties": false,
            "required": ["inference", "basis", "grade", "rows"],
            "properties": {
              "inference": { "enum": ["notNeeded", "possible", "impossible", "unknown"] },
              "code": { "$ref": "#/$defs/code" },
              "reason": { "description": "As Core Data prints it.", "type": "string" },
              "basis": { "$ref": "#/$defs/basis" },
              "grade": { "description": "A documented by Apple, B seen in stores or several reports, C one report, D assumed.", "enum": ["A", "B", "C", "D"] },
              "rows": { "description": "What existing rows hold afterwards, or why it cannot be.", "type": "string" },
              "conditions": { "type": "array", "items": { "$ref": "#/$defs/condition" } }
            }
          },
          "condition": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "entities", "consequence", "basisWhenMet", "basisWhenViolated", "message"],
            "properties": {
              "kind": {
                "enum": [
                  "noRows", "atMostOneRow", "noNulls", "noValues", "noDuplicates", "numericFits", "atMostOneLink", "linksWithin",
                  "linkCount", "valid", "noDanglingKeys", "noOrphanedLinks"
                ]
              },
              "entities": { "description": "By the source's names, subentities listed one by one.", "type": "array", "items": { "type": "string" } },
              "properties": { "type": "array", "items": { "type": "string" } },
              "consequence": { "description": "What follows when rows are not like that.", "enum": ["blocks", "atRisk", "loses"] },
              "code": { "$ref": "#/$defs/code" },
              "reason": { "type": "string" },
              "basisWhenMet": { "$ref": "#/$defs/basis" },
              "basisWhenViolated": { "$ref": "#/$defs/basis" },
              "message": { "type": "string" }
            }
          },
          "loss": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "entity"],
            "properties": {
              "kind": { "description": "All rows of a removed entity; all values of a property, or links of a relationship, that is removed; the values of a property in entities it was moved away from; the links of an object beyond the first; the order of links.", "enum": ["rows", "values", "links", "someValues", "someLinks", "order"] },
              "entity": { "description": "By the source's name.", "type": "string" },
              "property": { "description": "By the source's name; absent for rows.", "type": "string" }
            }
          },
          "rename": {
            "type": "object",
            "additionalProperties": false,
            "required": ["sourceEntity", "destinationEntity", "renamingIdentifier", "reason", "explanation"],
            "properties": {
              "sourceEntity": { "$ref": "#/$defs/name" },
              "sourceProperty": { "$ref": "#/$defs/name" },
              "destinationEntity": { "$ref": "#/$defs/name" },
              "destinationProperty": { "$ref": "#/$defs/name" },
              "renamingIdentifier": { "description": "What would keep the values.", "type": "string" },
              "reason": { "enum": ["similarName", "onlyFit", "sameProperties", "namesTheVersionBetween"] },
              "explanation": { "type": "string" }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "model-hashes", id: "storedoctor.model-hashes/2",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.model-hashes/2",
        "title": "storedoctor.model-hashes/2",
        "description": "What `storedoctor model hash --format json` prints. Members that are not required are left out when there is nothing to say; null is never written.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "path", "format", "versions", "equalVersions"],
        "properties": {
          "schema": { "const": "storedoctor.model-hashes/2" },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version"],
            "properties": { "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+" } }
          },
          "path": { "description": "The model, as given.", "type": "string" },
          "format": { "description": "What the path turned out to be.", "enum": ["momd", "mom", "xcdatamodeld", "xcdatamodel", "json", "store", "swift"] },
          "currentVersion": { "description": "The version an app would use; absent where it is not known.", "type": "string" },
          "versions": { "description": "In the source's order.", "type": "array", "items": { "$ref": "#/$defs/version" } },
          "sameSchemas": { "description": "Names of containers that Swift source makes for the same schema.", "type": "array", "items": { "type": "array", "items": { "type": "string" } } },
          "equalVersions": { "description": "Names of versions with one checksum, which a staged migration refuses.", "type": "array", "items": { "type": "array", "items": { "type": "string" } } }
        },
        "$defs": {
          "version": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "identifiers", "hashes"],
            "properties": {
              "name": { "type": "string" },
              "identifiers": { "description": "The model's version identifiers.", "type": "array", "items": { "type": "string" } },
              "hashes": { "description": "Entity name to version hash; only entities asked for with --entity.", "type": "object", "additionalProperties": { "$ref": "#/$defs/hash" } },
              "checksum": { "description": "In base-64; of the whole model, whatever --entity says; absent where something is in doubt.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
              "digest": { "description": "In base-64; of the whole model; absent where something is in doubt.", "type": "string", "pattern": "^[A-Za-z0-9+/]{86}==$" },
              "faults": { "description": "Where the model contradicts itself, a sentence each, with what it means for the hashes.", "type": "array", "items": { "type": "string" } },
              "unproven": { "description": "Entity name to the rules its hash rests on that no real store has confirmed.", "type": "object", "additionalProperties": { "type": "array", "items": { "type": "string" } } },
              "doubts": {
                "description": "What Swift source does not tell, or leaves open; there is no hash of such an entity.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["message"],
                  "properties": { "entity": { "type": "string" }, "message": { "type": "string" } }
                }
              },
              "recordedDifferently": { "description": "Entities for which VersionInfo.plist records another hash or none; absent where it records none at all.", "type": "array", "items": { "type": "string" } },
              "recordedChecksumEqual": { "description": "Whether VersionInfo.plist records this checksum; absent where it records none.", "type": "boolean" },
              "assumed": { "description": "What types of Swift source were taken for with --assume, a few words each: nothing proves the hashes of such entities.", "type": "array", "items": { "type": "string" } },
              "systems": { "description": "The other models that systems make of the same Swift source, oldest first; absent where all make the same.", "type": "array", "items": { "$ref": "#/$defs/system" } }
            }
          },
          "system": {
            "type": "object",
            "additionalProperties": false,
            "required": ["systems", "certain", "hashes"],
            "properties": {
              "systems": { "description": "In words.", "type": "string" },
              "fromFramework": { "description": "The first NSPersistenceFrameworkVersion; absent where the oldest are meant.", "type": "integer" },
              "belowFramework": { "description": "The first that does not; absent where the newest do.", "type": "integer" },
              "certain": { "description": "Whether stores have shown it; else they may make this model or that of other systems.", "type": "boolean" },
              "hashes": { "description": "Of the entities that are others there.", "type": "object", "additionalProperties": { "$ref": "#/$defs/hash" } },
              "checksum": { "description": "In base-64; of the whole model.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
              "digest": { "description": "In base-64; of the whole model.", "type": "string", "pattern": "^[A-Za-z0-9+/]{86}==$" },
              "remedy": { "description": "What makes the source one model.", "type": "string" }
            }
          },
          "hash": { "description": "32 bytes in hex digits.", "type": "string", "pattern": "^[0-9a-f]{64}$" }
        }
      }

      """#),
  JSONSchema(
    kind: "model-match", id: "storedoctor.model-match/2",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.model-match/2",
        "title": "storedoctor.model-match/2",
        "description": "What `storedoctor model match --format json` prints. Members that are not required are left out when there is nothing to say; null is never written.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "store", "answer", "candidates", "notes"],
        "properties": {
          "schema": { "const": "storedoctor.model-match/2" },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version"],
            "properties": { "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+" } }
          },
          "store": { "$ref": "#/$defs/store", "required": ["path", "versionIdentifiers", "modelSource", "hashes"] },
          "answer": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "candidates"],
            "properties": {
              "kind": { "description": "One version (or several with equal hashes); several merged into one model; several merged with one that was not given; none.", "enum": ["version", "union", "part", "none"] },
              "candidates": { "$ref": "#/$defs/positions" },
              "unaccounted": { "description": "Of a part: entities that no candidate has.", "$ref": "#/$defs/names" }
            }
          },
          "candidates": { "description": "In the order given.", "type": "array", "items": { "$ref": "#/$defs/candidate" } },
          "nearest": {
            "description": "With the answer none: the candidate with the most equal entities.",
            "type": "object",
            "additionalProperties": false,
            "required": ["candidate"],
            "properties": {
              "candidate": { "$ref": "#/$defs/position" },
              "changes": { "description": "From the store's model to it, those that enter the hash; absent when the store carries no model.", "type": "array", "items": { "$ref": "#/$defs/change" } }
            }
          },
          "mappings": { "description": "The mapping models given, in that order, then those found in and beside bundles that lead from or to something given; absent when there is none.", "type": "array", "items": { "$ref": "#/$defs/mapping" } },
          "history": { "$ref": "#/$defs/history" },
          "notes": { "type": "array", "items": { "$ref": "#/$defs/note" } }
        },
        "$defs": {
          "store": {
            "description": "What a store says of itself, of one shape in every document. What the command does not look at is left out.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "description": "As given, or as found in the folder that was given.", "type": "string" },
              "pathBytes": { "description": "The path in base-64, byte for byte, where it is not UTF-8.", "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" },
              "uuid": { "type": "string" },
              "frameworkVersion": { "description": "Of the framework that last wrote the metadata.", "type": "integer" },
              "versionIdentifiers": { "description": "Text given by the developer.", "type": "array", "items": { "type": "string" } },
              "modelSource": { "description": "Where the description of the entities comes from.", "enum": ["cache", "given", "inferred"] },
              "digest": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it.", "type": "string", "pattern": "^[A-Za-z0-9+/]{86}==$" },
              "checksum": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it; also where an older framework did not.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
              "reading": {
                "description": "What the answer rests on.",
                "type": "object",
                "additionalProperties": false,
                "required": ["complete", "sound", "log", "accessTimes"],
                "properties": {
                  "complete": { "description": "Whether all that was saved is in what was read.", "enum": ["yes", "no", "unknown"] },
                  "sound": { "description": "Whether the tables that were read show all their rows; unknown where pages were not looked at.", "enum": ["yes", "no", "unknown"] },
                  "log": { "description": "What became of the write-ahead log: read; none; foreign, so not read; or leftOut, as was asked for.", "enum": ["read", "none", "foreign", "leftOut"] },
                  "namedLog": { "description": "The log that --wal named, which was read in place of the one beside the store.", "type": "string" },
                  "fittingLogs": { "description": "Logs beside the store under other names that fit and were not read.", "type": "array", "items": { "type": "string" } },
                  "unfinishedRepair": { "description": "The journal of a repair in place that stopped before its end, beside the store.", "type": "string" },
                  "abandonedJournal": { "description": "The folder that a repair in place or an undo left when it was ended before it changed anything.", "type": "string" },
                  "journal": { "description": "There where a hot rollback journal was applied in memory.", "const": "applied" },
                  "accessTimes": { "description": "Whether reading left the files' access times alone.", "enum": ["kept", "mayHaveChanged"] },
                  "reasons": { "description": "Why it is not complete, or why that is not known.", "type": "array", "items": { "type": "string" } },
                  "unread": { "description": "What the store has and what could not be read of it, besides rows: its metadata, or its model cache.", "type": "array", "items": { "type": "string" } },
                  "damage": { "description": "What is damaged of the tables that were read.", "type": "array", "items": { "type": "string" } }
                }
              },
              "asOf": { "description": "The commit of its write-ahead log as of which the store was read; absent where all of it was.", "type": "object", "additionalProperties": false, "required": ["commit", "commits"], "properties": { "commit": { "description": "Counted from 1; 0 is before the first.", "type": "integer", "minimum": 0 }, "commits": { "description": "How many the log has.", "type": "integer", "minimum": 0 } } },
              "hashes": { "description": "Entity to version hash, in hex digits.", "type": "object", "additionalProperties": { "type": "string", "pattern": "^[0-9a-f]{64}$" } },
              "fingerprint": { "description": "SHA-256 over the main file and the committed frames of the WAL.", "type": "string", "pattern": "^[0-9a-f]{64}$" },
              "files": {
                "description": "The main file first, then what lies beside it.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["role", "bytes"],
                  "properties": {
                    "role": { "enum": ["main", "wal", "shm", "journal", "support"] },
                    "bytes": { "type": "integer", "minimum": 0 },
                    "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" }
                  }
                }
              },
              "journalMode": { "enum": ["wal", "delete"] },
              "pageSize": { "enum": [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536] },
              "freePages": { "type": "integer", "minimum": 0 },
              "wal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["frames", "committedFrames", "framesNotInMain", "belongsToStore", "reasons", "read"],
                "properties": {
                  "frames": { "type": "integer", "minimum": 0 },
                  "committedFrames": { "type": "integer", "minimum": 0 },
                  "framesNotInMain": { "type": "integer", "minimum": 0 },
                  "belongsToStore": { "enum": ["yes", "no", "unknown"] },
                  "reasons": { "type": "array", "items": { "type": "string" } },
                  "read": { "description": "Whether the rows that are shown include it.", "type": "boolean" }
                }
              },
              "hotJournal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["pagesRestored"],
                "properties": { "pagesRestored": { "type": "integer", "minimum": 0 } }
              },
              "accessTimesKept": { "type": "boolean" }
            }
          },
          "names": { "type": "array", "items": { "type": "string" } },
          "position": { "description": "In candidates, counted from 0.", "type": "integer", "minimum": 0 },
          "positions": { "type": "array", "items": { "$ref": "#/$defs/position" } },
          "candidate": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "path", "source", "current", "versionIdentifiers", "comparison"],
            "properties": {
              "name": { "type": "string" },
              "path": { "type": "string" },
              "source": { "description": "The model or bundle it is of, as given.", "type": "string" },
              "current": { "description": "Whether it is its bundle's current version.", "type": "boolean" },
              "versionIdentifiers": { "$ref": "#/$defs/names" },
              "checksum": { "description": "In base-64; absent where the version is not known whole.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
              "comparison": { "$ref": "#/$defs/comparison" }
            }
          },
          "comparison": {
            "description": "Entity by entity.",
            "type": "object",
            "additionalProperties": false,
            "required": ["isEqual", "equal", "different", "onlyInStore", "onlyInModel"],
            "properties": {
              "isEqual": { "type": "boolean" },
              "equal": { "$ref": "#/$defs/names" },
              "different": { "$ref": "#/$defs/names" },
              "onlyInStore": { "$ref": "#/$defs/names" },
              "onlyInModel": { "$ref": "#/$defs/names" },
              "unknown": { "description": "Entities that cannot be compared, since Swift source does not tell them whole.", "$ref": "#/$defs/names" },
              "mayHaveMore": { "description": "Whether the model may have entities that its source does not tell.", "const": true }
            }
          },
          "note": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind"],
            "properties": {
              "kind": { "enum": ["same-identifier", "equal-versions", "same-schema", "recorded-hashes-differ", "cache-differs", "checksum-inconsistent", "missing-version", "mapping-fits-neither", "not-derived", "open-rule", "made-by-system", "decided-by-store", "faults"] },
              "candidates": { "$ref": "#/$defs/positions" },
              "entities": { "$ref": "#/$defs/names" },
              "faults": { "description": "Where the candidate's model contradicts itself, a sentence each.", "$ref": "#/$defs/names" },
              "version": { "description": "Named and not there.", "type": "string" },
              "mapping": { "description": "In mappings, counted from 0.", "type": "integer", "minimum": 0 },
              "message": { "description": "What of Swift source is not known, is open or assumed, depends on the system, or was decided by the store.", "type": "string" }
            }
          },
          "mapping": {
            "description": "A mapping model, by the hashes of its models, or those recorded in it.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path", "basis", "source", "destination"],
            "properties": {
              "path": { "description": "As given.", "type": "string" },
              "basis": { "description": "Assumed where something of its models is not read, so that it may lead elsewhere.", "enum": ["observed", "assumed"] },
              "source": { "$ref": "#/$defs/side" },
              "destination": { "$ref": "#/$defs/side" }
            }
          },
          "side": {
            "description": "What the hashes recorded for one side fit: all of them are equal there, where more entities may be.",
            "type": "object",
            "additionalProperties": false,
            "required": ["recorded", "isStore", "candidates"],
            "properties": {
              "recorded": { "description": "For how many entities a hash is recorded; 0 fits nothing.", "type": "integer", "minimum": 0 },
              "isStore": { "description": "Whether they are the store's.", "type": "boolean" },
              "candidates": { "$ref": "#/$defs/positions" }
            }
          },
          "history": {
            "type": "object",
            "additionalProperties": false,
            "required": ["repository", "commits", "models", "matches", "unreadable"],
            "properties": {
              "repository": { "description": "As given.", "type": "string" },
              "commits": { "description": "How many changed a model.", "type": "integer", "minimum": 0 },
              "models": { "description": "How many different ones they have.", "type": "integer", "minimum": 0 },
              "matches": { "type": "array", "items": { "$ref": "#/$defs/match" } },
              "nearest": { "description": "The most similar, where none matches.", "$ref": "#/$defs/match" },
              "isShallow": { "description": "Present where older commits are not in the repository, because it is a shallow clone.", "const": true },
              "isWhole": { "description": "Whether all that its history names was read: only then is a model that was not found not there.", "type": "boolean" },
              "sourceProblem": { "description": "Why Swift source was not looked at, or not all of it.", "type": "string" },
              "unreadable": {
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["path", "object", "reason"],
                  "properties": { "path": { "type": "string" }, "object": { "$ref": "#/$defs/object" }, "reason": { "type": "string" } }
                }
              }
            }
          },
          "match": {
            "description": "A model of the history.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path", "object", "name", "versionIdentifiers", "comparison", "introduced", "ended", "tags"],
            "properties": {
              "path": { "description": "In the repository.", "type": "string" },
              "object": { "$ref": "#/$defs/object" },
              "name": { "type": "string" },
              "versionIdentifiers": { "$ref": "#/$defs/names" },
              "comparison": { "$ref": "#/$defs/comparison" },
              "introduced": { "description": "Commits that made it what it is.", "type": "array", "items": { "$ref": "#/$defs/commit" } },
              "ended": { "description": "Commits that changed or removed it.", "type": "array", "items": { "$ref": "#/$defs/commit" } },
              "tags": { "$ref": "#/$defs/names" }
            }
          },
          "object": { "description": "A git object.", "type": "string", "pattern": "^([0-9a-f]{40}|[0-9a-f]{64})$" },
          "commit": {
            "type": "object",
            "additionalProperties": false,
            "required": ["id", "subject"],
            "properties": {
              "id": { "$ref": "#/$defs/object" },
              "time": { "description": "The committer's, UTC.", "type": "string" },
              "subject": { "type": "string" }
            }
          },
          "name": { "type": "string" },
          "basis": { "enum": ["observed", "documented", "assumed"] },
          "code": { "description": "In NSCocoaErrorDomain.", "type": "integer" },
          "change": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "entersHash", "migration"],
            "properties": {
              "sourceEntity": { "$ref": "#/$defs/name" },
              "sourceProperty": { "$ref": "#/$defs/name" },
              "destinationEntity": { "$ref": "#/$defs/name" },
              "destinationProperty": { "$ref": "#/$defs/name" },
              "kind": {
                "enum": [
                  "versionIdentifiers", "configurationAdded", "configurationRemoved", "configurationMembers", "fetchRequestAdded",
                  "fetchRequestRemoved", "fetchRequestChanged", "entityAdded", "entityRemoved", "entityRenamed", "parent", "abstract",
                  "hashModifier", "constraintAdded", "constraintRemoved", "constraintChanged", "className", "indexAdded",
                  "indexRemoved", "indexChanged", "compoundIndexes", "attributeAdded", "relationshipAdded", "fetchedPropertyAdded",
                  "attributeRemoved", "relationshipRemoved", "fetchedPropertyRemoved", "attributeRenamed", "relationshipRenamed",
                  "fetchedPropertyRenamed", "attributeMovedUp", "attributeMovedDown", "attributeMovedRedeclared",
                  "attributeMovedRedeclarationRemoved", "relationshipMovedUp", "relationshipMovedDown", "relationshipMovedRedeclared",
                  "relationshipMovedRedeclarationRemoved", "fetchedPropertyMovedUp", "fetchedPropertyMovedDown",
                  "fetchedPropertyMovedRedeclared", "fetchedPropertyMovedRedeclarationRemoved", "propertyKind", "optional", "transient",
                  "readOnly", "type", "externalStorage", "preservesValueInHistory", "derivation", "elements", "defaultValue",
                  "validation", "valueClass", "valueTransformer", "indexed", "locationComponents", "destination", "inverse",
                  "maximumCount", "minimumCount", "ordered", "deleteRule", "fetchedRequest", "renamingIdentifier", "userInfo"
                ]
              },
              "from": { "description": "What was, as text; absent where there was nothing.", "type": "string" },
              "to": { "description": "What is, as text; absent where there is nothing.", "type": "string" },
              "names": { "description": "The index, constraint, configuration, fetch request or elements concerned.", "type": "array", "items": { "type": "string" } },
              "entersHash": { "type": "boolean" },
              "formOnly": { "description": "Whether it says only that the two sources keep one thing in different forms.", "const": true },
              "migration": { "$ref": "#/$defs/migration" }
            }
          },
          "migration": {
            "description": "What lightweight migration makes of the change.",
            "type": "object",
            "additionalProperties": false,
            "required": ["inference", "basis", "grade", "rows"],
            "properties": {
              "inference": { "enum": ["notNeeded", "possible", "impossible", "unknown"] },
              "code": { "$ref": "#/$defs/code" },
              "reason": { "description": "As Core Data prints it.", "type": "string" },
              "basis": { "$ref": "#/$defs/basis" },
              "grade": { "description": "A documented by Apple, B seen in stores or several reports, C one report, D assumed.", "enum": ["A", "B", "C", "D"] },
              "rows": { "description": "What existing rows hold afterwards, or why it cannot be.", "type": "string" },
              "conditions": { "type": "array", "items": { "$ref": "#/$defs/condition" } }
            }
          },
          "condition": {
            "type": "object",
            "additionalProperties": false,
            "required": ["kind", "entities", "consequence", "basisWhenMet", "basisWhenViolated", "message"],
            "properties": {
              "kind": {
                "enum": [
                  "noRows", "atMostOneRow", "noNulls", "noValues", "noDuplicates", "numericFits", "atMostOneLink", "linksWithin",
                  "linkCount", "valid", "noDanglingKeys", "noOrphanedLinks"
                ]
              },
              "entities": { "description": "By the source's names, subentities listed one by one.", "type": "array", "items": { "type": "string" } },
              "properties": { "type": "array", "items": { "type": "string" } },
              "consequence": { "description": "What follows when rows are not like that.", "enum": ["blocks", "atRisk", "loses"] },
              "code": { "$ref": "#/$defs/code" },
              "reason": { "type": "string" },
              "basisWhenMet": { "$ref": "#/$defs/basis" },
              "basisWhenViolated": { "$ref": "#/$defs/basis" },
              "message": { "type": "string" }
            }
          },
          "hash": { "description": "32 bytes in hex digits.", "type": "string", "pattern": "^[0-9a-f]{64}$" }
        }
      }

      """#),
  JSONSchema(
    kind: "model", id: "storedoctor.model/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.model/1",
        "title": "storedoctor.model/1",
        "description": "One or more versions of a managed object model, as `storedoctor model convert --to json` writes them. Members that are not required are left out when they have their default; null is never written. A reader refuses members that are not listed.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "versions"],
        "properties": {
          "schema": { "const": "storedoctor.model/1" },
          "tool": {
            "description": "What wrote the document.",
            "type": "object",
            "additionalProperties": false,
            "required": ["version"],
            "properties": { "version": { "type": "string" } }
          },
          "currentVersion": { "description": "The version an app would use. It need not be among the versions.", "type": "string" },
          "versions": { "description": "At least one; no name occurs twice.", "type": "array", "items": { "$ref": "#/$defs/version" } }
        },
        "$defs": {
          "version": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "model"],
            "properties": { "name": { "type": "string" }, "model": { "$ref": "#/$defs/model" } }
          },
          "model": {
            "type": "object",
            "additionalProperties": false,
            "required": ["entities"],
            "properties": {
              "entities": { "description": "Written sorted by name (code units); read in any order.", "type": "array", "items": { "$ref": "#/$defs/entity" } },
              "configurations": { "description": "Name to names of entities. The default configuration, which has all, is not listed.", "type": "object", "additionalProperties": { "$ref": "#/$defs/strings" } },
              "versionIdentifiers": { "$ref": "#/$defs/strings" },
              "fetchRequests": { "type": "array", "items": { "$ref": "#/$defs/fetchRequest" } }
            }
          },
          "entity": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name"],
            "properties": {
              "name": { "type": "string" },
              "parent": { "description": "The name of the parent entity.", "type": "string" },
              "abstract": { "$ref": "#/$defs/flag" },
              "className": { "type": "string" },
              "attributes": { "description": "Declared or re-declared here, not inherited; so are relationships and fetched properties.", "type": "array", "items": { "$ref": "#/$defs/attribute" } },
              "relationships": { "type": "array", "items": { "$ref": "#/$defs/relationship" } },
              "fetchedProperties": { "type": "array", "items": { "$ref": "#/$defs/fetchedProperty" } },
              "uniquenessConstraints": { "$ref": "#/$defs/lists" },
              "indexes": { "type": "array", "items": { "$ref": "#/$defs/index" } },
              "compoundIndexes": { "description": "The older form of indexes.", "$ref": "#/$defs/lists" },
              "versionHashModifier": { "type": "string" },
              "renamingIdentifier": { "description": "The name in the previous model, where it is another.", "type": "string" },
              "userInfo": { "$ref": "#/$defs/texts" },
              "sourceFields": { "$ref": "#/$defs/sourceFields" },
              "versionHash": { "description": "The entity's version hash, for readers. It is never needed; one that is not the entity's is an error.", "type": "string", "pattern": "^[0-9a-f]{64}$" }
            }
          },
          "attribute": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "type"],
            "properties": {
              "name": { "type": "string" },
              "optional": { "$ref": "#/$defs/flag" },
              "transient": { "$ref": "#/$defs/flag" },
              "readOnly": { "$ref": "#/$defs/flag" },
              "versionHashModifier": { "type": "string" },
              "renamingIdentifier": { "type": "string" },
              "userInfo": { "$ref": "#/$defs/texts" },
              "sourceFields": { "$ref": "#/$defs/sourceFields" },
              "type": {
                "description": "Xcode's name of the type, or Core Data's number for one without a name.",
                "anyOf": [
                  { "enum": ["Undefined", "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean", "Date", "Binary", "UUID", "URI", "Transformable", "Object ID", "Composite"] },
                  { "type": "integer", "minimum": -2147483648 }
                ]
              },
              "externalStorage": { "description": "Large values may be kept in files beside the store.", "$ref": "#/$defs/flag" },
              "preservedAfterDeletion": { "description": "The value is kept in persistent history.", "$ref": "#/$defs/flag" },
              "indexed": { "description": "The older mark for an index of its own.", "$ref": "#/$defs/flag" },
              "valueClassName": { "description": "Where it is not the usual class of the type.", "type": "string" },
              "valueTransformerName": { "type": "string" },
              "default": { "$ref": "#/$defs/value" },
              "derivation": {
                "type": "object",
                "additionalProperties": false,
                "required": ["expression"],
                "properties": { "expression": { "$ref": "#/$defs/expression" }, "filter": { "$ref": "#/$defs/predicate" } }
              },
              "elements": { "description": "Of a composite attribute, in the model's order.", "type": "array", "items": { "$ref": "#/$defs/attribute" } },
              "validationPredicates": { "type": "array", "items": { "$ref": "#/$defs/predicate" } },
              "validationTexts": {
                "description": "Bounds and pattern in Xcode's spelling, where it is not known which predicates Core Data makes of them.",
                "type": "object",
                "additionalProperties": false,
                "properties": { "minimum": { "type": "string" }, "maximum": { "type": "string" }, "pattern": { "type": "string" } }
              },
              "locationComponents": { "description": "The attributes of latitude and longitude for which the store keeps an R-tree.", "$ref": "#/$defs/strings" }
            }
          },
          "relationship": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "destination"],
            "properties": {
              "name": { "type": "string" },
              "optional": { "$ref": "#/$defs/flag" },
              "transient": { "$ref": "#/$defs/flag" },
              "readOnly": { "$ref": "#/$defs/flag" },
              "versionHashModifier": { "type": "string" },
              "renamingIdentifier": { "type": "string" },
              "userInfo": { "$ref": "#/$defs/texts" },
              "sourceFields": { "$ref": "#/$defs/sourceFields" },
              "destination": { "description": "The name of an entity.", "type": "string" },
              "inverse": { "description": "The name of a relationship of the destination.", "type": "string" },
              "minimumCount": { "description": "Default 0.", "$ref": "#/$defs/count" },
              "maximumCount": { "description": "1 is to-one; 0, the default, and -1 are to-many without limit.", "$ref": "#/$defs/count" },
              "ordered": { "$ref": "#/$defs/flag" },
              "deleteRule": { "description": "Default nullify.", "enum": ["noAction", "nullify", "cascade", "deny"] }
            }
          },
          "fetchedProperty": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name"],
            "properties": {
              "name": { "type": "string" },
              "optional": { "$ref": "#/$defs/flag" },
              "transient": { "$ref": "#/$defs/flag" },
              "readOnly": { "$ref": "#/$defs/flag" },
              "versionHashModifier": { "type": "string" },
              "renamingIdentifier": { "type": "string" },
              "userInfo": { "$ref": "#/$defs/texts" },
              "sourceFields": { "$ref": "#/$defs/sourceFields" },
              "entity": { "type": "string" },
              "predicate": { "$ref": "#/$defs/predicate" }
            }
          },
          "index": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "elements"],
            "properties": {
              "name": { "type": "string" },
              "elements": {
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["property"],
                  "properties": {
                    "property": { "description": "The property's name; for an expression the name the model gives it.", "type": "string" },
                    "expression": { "$ref": "#/$defs/expression" },
                    "descending": { "$ref": "#/$defs/flag" },
                    "rTree": { "$ref": "#/$defs/flag" }
                  }
                }
              },
              "partialPredicate": { "$ref": "#/$defs/predicate" }
            }
          },
          "fetchRequest": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name"],
            "properties": {
              "name": { "type": "string" },
              "entity": { "type": "string" },
              "predicate": { "$ref": "#/$defs/predicate" },
              "sourceFields": { "$ref": "#/$defs/sourceFields" }
            }
          },
          "predicate": {
            "description": "Exactly one of the members.",
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "comparison": {
                "type": "object",
                "additionalProperties": false,
                "required": ["left", "operator", "right"],
                "properties": {
                  "left": { "$ref": "#/$defs/expression" },
                  "operator": { "enum": ["<", "<=", ">", ">=", "==", "!=", "MATCHES", "LIKE", "BEGINSWITH", "ENDSWITH", "IN", "SELECTOR", "CONTAINS", "BETWEEN"] },
                  "right": { "$ref": "#/$defs/expression" },
                  "modifier": { "description": "1 ALL, 2 ANY.", "type": "integer" },
                  "options": { "description": "Sum of 1 case-insensitive, 2 diacritic-insensitive, 4 normalised, 8 locale-sensitive.", "type": "integer" }
                }
              },
              "and": { "type": "array", "items": { "$ref": "#/$defs/predicate" } },
              "or": { "type": "array", "items": { "$ref": "#/$defs/predicate" } },
              "not": { "type": "array", "items": { "$ref": "#/$defs/predicate" } },
              "constant": { "description": "TRUEPREDICATE or FALSEPREDICATE.", "type": "boolean" },
              "text": { "description": "As its source spells it; not parsed.", "type": "string" },
              "class": { "description": "A predicate of a class that is not read.", "type": "string" }
            }
          },
          "expression": {
            "description": "One of the members; 'of' goes with 'path', 'operand' and 'arguments' with 'function'.",
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "self": { "const": true },
              "keyPath": { "type": "string" },
              "path": { "type": "string" },
              "of": { "$ref": "#/$defs/expression" },
              "variable": { "type": "string" },
              "constant": { "$ref": "#/$defs/value" },
              "function": { "description": "The selector: 'count:'.", "type": "string" },
              "operand": { "description": "What a function is sent to; predicate utilities where it is left out.", "$ref": "#/$defs/expression" },
              "arguments": { "type": "array", "items": { "$ref": "#/$defs/expression" } },
              "aggregate": { "type": "array", "items": { "$ref": "#/$defs/expression" } },
              "text": { "description": "As its source spells it; not parsed.", "type": "string" },
              "class": { "description": "An expression of a class that is not read.", "type": "string" }
            }
          },
          "value": {
            "description": "Exactly one of the members. Constants of expressions have nil and list, but neither data, decimal, uuid, uri nor unreadable; defaults the other way round.",
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "nil": { "const": true },
              "boolean": { "type": "boolean" },
              "integer": { "type": "integer" },
              "real": { "$ref": "#/$defs/real" },
              "string": { "type": "string" },
              "date": { "description": "Seconds since 2001-01-01 00:00:00 UTC.", "$ref": "#/$defs/real" },
              "data": { "$ref": "#/$defs/hex" },
              "decimal": { "description": "Digits without exponent, and without zeros at the end: \"-12.5\".", "type": "string" },
              "uuid": { "$ref": "#/$defs/hex" },
              "uri": { "type": "string" },
              "list": { "type": "array", "items": { "$ref": "#/$defs/value" } },
              "class": { "description": "A value of a class that is not read.", "type": "string" },
              "unreadable": { "description": "Of defaults: a text of Xcode's XML that cannot be read as a value of the type. There is a default, and which is not known.", "type": "string" }
            }
          },
          "flag": { "description": "Default false.", "type": "boolean" },
          "count": { "type": "integer", "minimum": -2147483648 },
          "real": { "description": "A number, or the word for one that JSON cannot write.", "anyOf": [{ "type": "number" }, { "enum": ["nan", "inf", "-inf"] }] },
          "hex": { "description": "Bytes as hex digits, two a byte.", "type": "string", "pattern": "^([0-9a-f]{2})*$" },
          "strings": { "type": "array", "items": { "type": "string" } },
          "lists": { "type": "array", "items": { "$ref": "#/$defs/strings" } },
          "texts": { "type": "object", "additionalProperties": { "type": "string" } },
          "sourceFields": { "description": "What only the tool that made the source reads, by its name there.", "$ref": "#/$defs/texts" }
        }
      }

      """#),
  JSONSchema(
    kind: "outcome", id: "storedoctor.outcome/2",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.outcome/2",
        "title": "storedoctor.outcome/2",
        "description": "What `storedoctor repair --output` and `--in-place`, `storedoctor apply` and `storedoctor undo` print with --format json once the work is done.",
        "anyOf": [
          {"$ref": "#/$defs/repaired"},
          {"$ref": "#/$defs/undone"}
        ],
        "$defs": {
          "store": {
            "description": "What a store says of itself, of one shape in every document. What the command does not look at is left out.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "description": "As given, or as found in the folder that was given.", "type": "string" },
              "pathBytes": { "description": "The path in base-64, byte for byte, where it is not UTF-8.", "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" },
              "uuid": { "type": "string" },
              "frameworkVersion": { "description": "Of the framework that last wrote the metadata.", "type": "integer" },
              "versionIdentifiers": { "description": "Text given by the developer.", "type": "array", "items": { "type": "string" } },
              "modelSource": { "description": "Where the description of the entities comes from.", "enum": ["cache", "given", "inferred"] },
              "digest": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it.", "type": "string", "pattern": "^[A-Za-z0-9+/]{86}==$" },
              "checksum": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it; also where an older framework did not.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
              "reading": {
                "description": "What the answer rests on.",
                "type": "object",
                "additionalProperties": false,
                "required": ["complete", "sound", "log", "accessTimes"],
                "properties": {
                  "complete": { "description": "Whether all that was saved is in what was read.", "enum": ["yes", "no", "unknown"] },
                  "sound": { "description": "Whether the tables that were read show all their rows; unknown where pages were not looked at.", "enum": ["yes", "no", "unknown"] },
                  "log": { "description": "What became of the write-ahead log: read; none; foreign, so not read; or leftOut, as was asked for.", "enum": ["read", "none", "foreign", "leftOut"] },
                  "namedLog": { "description": "The log that --wal named, which was read in place of the one beside the store.", "type": "string" },
                  "fittingLogs": { "description": "Logs beside the store under other names that fit and were not read.", "type": "array", "items": { "type": "string" } },
                  "unfinishedRepair": { "description": "The journal of a repair in place that stopped before its end, beside the store.", "type": "string" },
                  "abandonedJournal": { "description": "The folder that a repair in place or an undo left when it was ended before it changed anything.", "type": "string" },
                  "journal": { "description": "There where a hot rollback journal was applied in memory.", "const": "applied" },
                  "accessTimes": { "description": "Whether reading left the files' access times alone.", "enum": ["kept", "mayHaveChanged"] },
                  "reasons": { "description": "Why it is not complete, or why that is not known.", "type": "array", "items": { "type": "string" } },
                  "unread": { "description": "What the store has and what could not be read of it, besides rows: its metadata, or its model cache.", "type": "array", "items": { "type": "string" } },
                  "damage": { "description": "What is damaged of the tables that were read.", "type": "array", "items": { "type": "string" } }
                }
              },
              "asOf": { "description": "The commit of its write-ahead log as of which the store was read; absent where all of it was.", "type": "object", "additionalProperties": false, "required": ["commit", "commits"], "properties": { "commit": { "description": "Counted from 1; 0 is before the first.", "type": "integer", "minimum": 0 }, "commits": { "description": "How many the log has.", "type": "integer", "minimum": 0 } } },
              "hashes": { "description": "Entity to version hash, in hex digits.", "type": "object", "additionalProperties": { "type": "string", "pattern": "^[0-9a-f]{64}$" } },
              "fingerprint": { "description": "SHA-256 over the main file and the committed frames of the WAL.", "type": "string", "pattern": "^[0-9a-f]{64}$" },
              "files": {
                "description": "The main file first, then what lies beside it.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["role", "bytes"],
                  "properties": {
                    "role": { "enum": ["main", "wal", "shm", "journal", "support"] },
                    "bytes": { "type": "integer", "minimum": 0 },
                    "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" }
                  }
                }
              },
              "journalMode": { "enum": ["wal", "delete"] },
              "pageSize": { "enum": [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536] },
              "freePages": { "type": "integer", "minimum": 0 },
              "wal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["frames", "committedFrames", "framesNotInMain", "belongsToStore", "reasons", "read"],
                "properties": {
                  "frames": { "type": "integer", "minimum": 0 },
                  "committedFrames": { "type": "integer", "minimum": 0 },
                  "framesNotInMain": { "type": "integer", "minimum": 0 },
                  "belongsToStore": { "enum": ["yes", "no", "unknown"] },
                  "reasons": { "type": "array", "items": { "type": "string" } },
                  "read": { "description": "Whether the rows that are shown include it.", "type": "boolean" }
                }
              },
              "hotJournal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["pagesRestored"],
                "properties": { "pagesRestored": { "type": "integer", "minimum": 0 } }
              },
              "accessTimesKept": { "type": "boolean" }
            }
          },
          "model": {
            "description": "The version that the store is to open with, of the models given with --model.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path", "version", "checksum"],
            "properties": {
              "path": {"description": "As given.", "type": "string"},
              "version": {"type": "string"},
              "checksum": {"description": "Of its version hashes, in base-64, as Core Data stores it.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$"},
              "defaults": {
                "description": "NULLs that are filled with the version's own default, after what the recipe says.",
                "type": "array",
                "minItems": 1,
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["entity", "attribute", "value"],
                  "properties": {"entity": {"type": "string"}, "attribute": {"type": "string"}, "value": {"type": "string"}}
                }
              }
            }
          },
          "opening": {
            "description": "What the version does with a store in this condition. It is left out where the plan is refused, since the condition never comes to be.",
            "type": "object",
            "additionalProperties": false,
            "required": ["verdict", "way", "basis", "ways"],
            "properties": {
              "verdict": {"$ref": "#/$defs/verdict"},
              "way": {"description": "The way of opening that the verdict is about.", "enum": ["none", "automatic", "staged", "manual"]},
              "code": {"description": "Of the app's error, in NSCocoaErrorDomain.", "type": "integer"},
              "basis": {"enum": ["observed", "documented", "assumed"]},
              "losing": {"description": "Whether it migrates and drops data that rows hold, or may hold.", "const": true},
              "ways": {
                "description": "The verdict on each way of opening.",
                "type": "object",
                "additionalProperties": false,
                "properties": {
                  "none": {"$ref": "#/$defs/verdict"},
                  "automatic": {"$ref": "#/$defs/verdict"},
                  "staged": {"$ref": "#/$defs/verdict"},
                  "manual": {"$ref": "#/$defs/verdict"}
                }
              },
              "decisions": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/decision"}}
            }
          },
          "verdict": {"enum": ["opens", "migrates", "blocked-by-data", "needs-custom-stage", "unknown-version", "foreign-model", "damaged"]},
          "decision": {
            "description": "Rows that stop the migration or leave its outcome uncertain.",
            "type": "object",
            "additionalProperties": false,
            "required": ["stops", "count", "message", "choices"],
            "properties": {
              "entity": {"type": "string"},
              "property": {"description": "Several are separated by commas.", "type": "string"},
              "stops": {"description": "Whether the migration fails because of them.", "type": "boolean"},
              "count": {"type": "integer", "minimum": 1},
              "keys": {"description": "Z_PK of the first of them.", "type": "array", "minItems": 1, "items": {"type": "integer"}},
              "message": {"type": "string"},
              "code": {"description": "Of the migration, or of the next save of such an object, in NSCocoaErrorDomain.", "type": "integer"},
              "choices": {
                "description": "Repairs, any one of which is enough; empty where none helps.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["options"],
                  "properties": {
                    "options": {"description": "Arguments of storedoctor repair.", "type": "array", "minItems": 1, "items": {"type": "string"}},
                    "caution": {"description": "What to know or to do before.", "type": "string"}
                  }
                }
              },
              "elsewhere": {"description": "What can be done in the model or by a stage.", "type": "string"}
            }
          },
          "repaired": {
            "type": "object",
            "additionalProperties": false,
            "required": ["schema", "tool", "action", "store", "source", "operations", "obstacles", "notices", "before", "after"],
            "properties": {
              "schema": {"const": "storedoctor.outcome/2"},
              "tool": {
                "type": "object",
                "additionalProperties": false,
                "required": ["version"],
                "properties": {"version": {"type": "string"}}
              },
              "action": {"const": "repair"},
              "store": {"description": "The repaired store.", "$ref": "#/$defs/store"},
              "source": {"description": "The store that was planned for; the same when it was changed in place.", "type": "string"},
              "model": {"$ref": "#/$defs/model"},
              "journal": {"description": "The folder `storedoctor undo` takes.", "type": "string"},
              "operations": {
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["repair", "summary", "grade", "changes"],
                  "properties": {
                    "repair": {"$ref": "#/$defs/repair"},
                    "summary": {"type": "string"},
                    "entity": {"type": "string"},
                    "property": {"type": "string"},
                    "grade": {"$ref": "#/$defs/grade"},
                    "changes": {"type": "integer", "minimum": 1}
                  }
                }
              },
              "obstacles": {"type": "array", "items": {"$ref": "#/$defs/obstacle"}},
              "notices": {"type": "array", "items": {"type": "string"}},
              "before": {"$ref": "#/$defs/condition"},
              "after": {"description": "As the written store was diagnosed.", "$ref": "#/$defs/condition"}
            }
          },
          "undone": {
            "type": "object",
            "additionalProperties": false,
            "required": ["schema", "tool", "action", "undid", "way"],
            "properties": {
              "schema": {"const": "storedoctor.outcome/2"},
              "tool": {
                "type": "object",
                "additionalProperties": false,
                "required": ["version"],
                "properties": {"version": {"type": "string"}}
              },
              "action": {"const": "undo"},
              "undid": {"description": "The journal's folder, as it was given.", "type": "string"},
              "way": {
                "description": "Files put back byte for byte, changes taken back row by row, or nothing to take back.",
                "enum": ["bytes", "rows", "nothing"]
              },
              "store": {"$ref": "#/$defs/store"},
              "journal": {"description": "The folder that undoes the undoing.", "type": "string"}
            }
          },
          "obstacle": {
            "description": "Something that was asked for and cannot be done.",
            "type": "object",
            "additionalProperties": false,
            "required": ["repair", "count", "message", "refusesPlan"],
            "properties": {
              "repair": {"$ref": "#/$defs/repair"},
              "entity": {"type": "string"},
              "property": {"type": "string"},
              "count": {"description": "How many rows it is about.", "type": "integer", "minimum": 0},
              "keys": {
                "description": "The first of them, by Z_PK.",
                "type": "array",
                "minItems": 1,
                "maxItems": 10,
                "items": {"type": "integer"}
              },
              "message": {"description": "Why, and what can be done.", "type": "string"},
              "refusesPlan": {"description": "Whether nothing else may be done either.", "type": "boolean"}
            }
          },
          "condition": {
            "description": "What a store is like, counted.",
            "type": "object",
            "additionalProperties": false,
            "required": ["rows", "isIntact", "findings"],
            "properties": {
              "rows": {
                "description": "Rows of each entity without those of its sub-entities, by name; links of each join table, by the table's name.",
                "type": "object",
                "additionalProperties": {"type": "integer", "minimum": 0}
              },
              "isIntact": {"description": "Whether SQLite's integrity check complains of nothing.", "type": "boolean"},
              "findings": {"type": "array", "items": {"$ref": "#/$defs/finding"}},
              "opening": {"$ref": "#/$defs/opening"}
            }
          },
          "finding": {
            "type": "object",
            "additionalProperties": false,
            "required": ["id", "severity", "count"],
            "properties": {
              "id": {"type": "string", "pattern": "^SD[0-9]{3}$"},
              "severity": {"enum": ["error", "warning", "note"]},
              "entity": {"type": "string"},
              "property": {"type": "string"},
              "count": {"description": "Rows, files or pages.", "type": "integer", "minimum": 1}
            }
          },
          "repair": {
            "enum": ["reindex", "restore-from-history", "restore", "merge", "join-orphans", "self-link-mirrors", "companions", "order-keys", "high-water", "dangling", "wrong-entity", "inverses", "entity-names", "backfill", "relink", "dedupe", "junctions", "external-files", "metadata", "unique-indexes", "trim-history", "compact"]
          },
          "grade": {
            "description": "What has to be said for it to be done: nothing; its name (renames, where values are changed; named, where more than one outcome could be right); its name and --allow-lossy, or --allow-metadata.",
            "enum": ["safe", "renames", "named", "lossy", "metadata"]
          }
        }
      }

      """#),
  JSONSchema(
    kind: "pin-check", id: "storedoctor.pin-check/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.pin-check/1",
        "title": "storedoctor.pin-check/1",
        "description": "What `storedoctor model check --format json` prints. Members that are not required are left out when there is nothing to say; null is never written.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "path", "kept", "missing", "unpinned", "moved"],
        "properties": {
          "schema": { "const": "storedoctor.pin-check/1" },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version"],
            "properties": { "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+" } }
          },
          "path": { "description": "The model, as given.", "type": "string" },
          "kept": { "description": "Pinned versions that are as they were.", "$ref": "#/$defs/names" },
          "missing": { "description": "Pinned versions that are not in the model any more.", "$ref": "#/$defs/names" },
          "unpinned": { "description": "Versions that are not pinned.", "$ref": "#/$defs/names" },
          "undecided": {
            "description": "Pinned versions of which Swift source does not tell whether they are as they were.",
            "type": "array",
            "items": { "$ref": "#/$defs/undecided" }
          },
          "conditions": {
            "description": "Of kept, the versions that are as they were only if Swift source is read in one of several ways.",
            "type": "array",
            "items": { "$ref": "#/$defs/undecided" }
          },
          "unpinnedParts": {
            "description": "Of the pinned versions, what their pins leave out; it is not compared.",
            "type": "array",
            "items": { "$ref": "#/$defs/undecided" }
          },
          "moved": {
            "description": "Pinned versions whose hashes are others now.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": ["name", "changes"],
              "properties": {
                "name": { "type": "string" },
                "changes": { "description": "By entity and property.", "type": "array", "items": { "$ref": "#/$defs/change" } }
              }
            }
          }
        },
        "$defs": {
          "names": { "type": "array", "items": { "type": "string" } },
          "undecided": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "reasons"],
            "properties": {
              "name": { "type": "string" },
              "reasons": { "description": "What is not known, where, and what would settle it.", "$ref": "#/$defs/names" }
            }
          },
          "change": {
            "type": "object",
            "additionalProperties": false,
            "required": ["entity"],
            "properties": {
              "entity": { "type": "string" },
              "property": { "description": "Absent for the entity itself.", "type": "string" },
              "before": { "description": "In the words of the pins; absent when it was not there.", "type": "string" },
              "now": { "description": "Absent when it is gone.", "type": "string" }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "pins", id: "storedoctor.pins/2",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.pins/2",
        "title": "storedoctor.pins/2",
        "description": "What `storedoctor model pin` writes and `storedoctor model check` reads; pins/3 where a version is pinned in part.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "versions"],
        "properties": {
          "schema": { "enum": ["storedoctor.pins/2", "storedoctor.pins/3"] },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version"],
            "properties": { "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+" } }
          },
          "versions": {
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": ["name", "entities"],
              "properties": {
                "name": { "type": "string" },
                "checksum": { "description": "Absent in pins/3 where not all of the version is known. In base-64; files of pins/1, which are read too, have it in hex digits.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
                "entities": { "description": "By name.", "type": "object", "additionalProperties": { "$ref": "#/$defs/entity" } },
                "unknown": {
                  "description": "Only in pins/3: what was not known, and is not pinned.",
                  "type": "array",
                  "minItems": 1,
                  "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["reason"],
                    "properties": {
                      "entity": { "description": "Absent where it is the list of classes: then there may be more.", "type": "string" },
                      "reason": { "type": "string" }
                    }
                  }
                }
              }
            }
          }
        },
        "$defs": {
          "entity": {
            "type": "object",
            "additionalProperties": false,
            "required": ["hash", "properties"],
            "properties": {
              "hash": { "$ref": "#/$defs/hash" },
              "entity": { "description": "What of the entity itself is hashed, in words; absent for a plain one.", "type": "string" },
              "properties": { "description": "Property name to what of it is hashed, in words; inherited ones included.", "type": "object", "additionalProperties": { "type": "string" } }
            }
          },
          "hash": { "description": "32 bytes in hex digits.", "type": "string", "pattern": "^[0-9a-f]{64}$" }
        }
      }

      """#),
  JSONSchema(
    kind: "plan", id: "storedoctor.plan/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.plan/1",
        "title": "storedoctor.plan/1",
        "description": "What `storedoctor repair --plan-out` writes and `storedoctor apply` reads; with --format json it is printed, without the values that rows get unless --show-values is given. Nothing is done because a plan says so: apply plans anew from recipe, seed and time, and refuses whatever comes out differently.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "inputDigest", "store", "recipe", "generated", "operations", "obstacles", "notices", "needs", "before", "after"],
        "properties": {
          "schema": {"const": "storedoctor.plan/1"},
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version"],
            "properties": {"version": {"type": "string"}}
          },
          "inputDigest": {"description": "SHA-256 over tool, store, recipe and generated as JSON, so that an edit of them is noticed that has no effect; no signature.", "type": "string", "pattern": "^[0-9a-f]{64}$"},
          "isRedacted": {"description": "Whether the values that rows get are left out; such a plan is not applied.", "const": true},
          "store": { "$ref": "#/$defs/store", "required": ["path", "fingerprint"] },
          "recipe": {
            "description": "What was asked for, as docs/schemas/recipe.json has it.",
            "type": "object",
            "required": ["version"],
            "properties": {"version": {"const": 1}}
          },
          "model": {"$ref": "#/$defs/model"},
          "generated": {
            "description": "What values that are made up follow from.",
            "type": "object",
            "additionalProperties": false,
            "required": ["seed", "now"],
            "properties": {
              "seed": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
              "now": {"description": "Seconds since 2001-01-01 00:00 UTC.", "type": "number"}
            }
          },
          "operations": {"description": "What is done, in order.", "type": "array", "items": {"$ref": "#/$defs/operation"}},
          "obstacles": {"type": "array", "items": {"$ref": "#/$defs/obstacle"}},
          "notices": {"description": "What whoever carries it out should know.", "type": "array", "items": {"type": "string"}},
          "needs": {
            "description": "The options without which it is not carried out.",
            "type": "array",
            "items": {"enum": ["--allow-lossy", "--allow-metadata", "--allow-mirrored", "--allow-invalid"]}
          },
          "before": {"$ref": "#/$defs/condition"},
          "after": {"$ref": "#/$defs/condition"}
        },
        "$defs": {
          "store": {
            "description": "What a store says of itself, of one shape in every document. What the command does not look at is left out.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "description": "As given, or as found in the folder that was given.", "type": "string" },
              "pathBytes": { "description": "The path in base-64, byte for byte, where it is not UTF-8.", "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" },
              "uuid": { "type": "string" },
              "frameworkVersion": { "description": "Of the framework that last wrote the metadata.", "type": "integer" },
              "versionIdentifiers": { "description": "Text given by the developer.", "type": "array", "items": { "type": "string" } },
              "modelSource": { "description": "Where the description of the entities comes from.", "enum": ["cache", "given", "inferred"] },
              "digest": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it.", "type": "string", "pattern": "^[A-Za-z0-9+/]{86}==$" },
              "checksum": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it; also where an older framework did not.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
              "reading": {
                "description": "What the answer rests on.",
                "type": "object",
                "additionalProperties": false,
                "required": ["complete", "sound", "log", "accessTimes"],
                "properties": {
                  "complete": { "description": "Whether all that was saved is in what was read.", "enum": ["yes", "no", "unknown"] },
                  "sound": { "description": "Whether the tables that were read show all their rows; unknown where pages were not looked at.", "enum": ["yes", "no", "unknown"] },
                  "log": { "description": "What became of the write-ahead log: read; none; foreign, so not read; or leftOut, as was asked for.", "enum": ["read", "none", "foreign", "leftOut"] },
                  "namedLog": { "description": "The log that --wal named, which was read in place of the one beside the store.", "type": "string" },
                  "fittingLogs": { "description": "Logs beside the store under other names that fit and were not read.", "type": "array", "items": { "type": "string" } },
                  "unfinishedRepair": { "description": "The journal of a repair in place that stopped before its end, beside the store.", "type": "string" },
                  "abandonedJournal": { "description": "The folder that a repair in place or an undo left when it was ended before it changed anything.", "type": "string" },
                  "journal": { "description": "There where a hot rollback journal was applied in memory.", "const": "applied" },
                  "accessTimes": { "description": "Whether reading left the files' access times alone.", "enum": ["kept", "mayHaveChanged"] },
                  "reasons": { "description": "Why it is not complete, or why that is not known.", "type": "array", "items": { "type": "string" } },
                  "unread": { "description": "What the store has and what could not be read of it, besides rows: its metadata, or its model cache.", "type": "array", "items": { "type": "string" } },
                  "damage": { "description": "What is damaged of the tables that were read.", "type": "array", "items": { "type": "string" } }
                }
              },
              "asOf": { "description": "The commit of its write-ahead log as of which the store was read; absent where all of it was.", "type": "object", "additionalProperties": false, "required": ["commit", "commits"], "properties": { "commit": { "description": "Counted from 1; 0 is before the first.", "type": "integer", "minimum": 0 }, "commits": { "description": "How many the log has.", "type": "integer", "minimum": 0 } } },
              "hashes": { "description": "Entity to version hash, in hex digits.", "type": "object", "additionalProperties": { "type": "string", "pattern": "^[0-9a-f]{64}$" } },
              "fingerprint": { "description": "SHA-256 over the main file and the committed frames of the WAL.", "type": "string", "pattern": "^[0-9a-f]{64}$" },
              "files": {
                "description": "The main file first, then what lies beside it.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["role", "bytes"],
                  "properties": {
                    "role": { "enum": ["main", "wal", "shm", "journal", "support"] },
                    "bytes": { "type": "integer", "minimum": 0 },
                    "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" }
                  }
                }
              },
              "journalMode": { "enum": ["wal", "delete"] },
              "pageSize": { "enum": [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536] },
              "freePages": { "type": "integer", "minimum": 0 },
              "wal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["frames", "committedFrames", "framesNotInMain", "belongsToStore", "reasons", "read"],
                "properties": {
                  "frames": { "type": "integer", "minimum": 0 },
                  "committedFrames": { "type": "integer", "minimum": 0 },
                  "framesNotInMain": { "type": "integer", "minimum": 0 },
                  "belongsToStore": { "enum": ["yes", "no", "unknown"] },
                  "reasons": { "type": "array", "items": { "type": "string" } },
                  "read": { "description": "Whether the rows that are shown include it.", "type": "boolean" }
                }
              },
              "hotJournal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["pagesRestored"],
                "properties": { "pagesRestored": { "type": "integer", "minimum": 0 } }
              },
              "accessTimesKept": { "type": "boolean" }
            }
          },
          "model": {
            "description": "The version that the store is to open with, of the models given with --model.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path", "version", "checksum"],
            "properties": {
              "path": {"description": "As given.", "type": "string"},
              "version": {"type": "string"},
              "checksum": {"description": "Of its version hashes, in base-64, as Core Data stores it.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$"},
              "defaults": {
                "description": "NULLs that are filled with the version's own default, after what the recipe says.",
                "type": "array",
                "minItems": 1,
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["entity", "attribute", "value"],
                  "properties": {"entity": {"type": "string"}, "attribute": {"type": "string"}, "value": {"type": "string"}}
                }
              }
            }
          },
          "opening": {
            "description": "What the version does with a store in this condition. It is left out where the plan is refused, since the condition never comes to be.",
            "type": "object",
            "additionalProperties": false,
            "required": ["verdict", "way", "basis", "ways"],
            "properties": {
              "verdict": {"$ref": "#/$defs/verdict"},
              "way": {"description": "The way of opening that the verdict is about.", "enum": ["none", "automatic", "staged", "manual"]},
              "code": {"description": "Of the app's error, in NSCocoaErrorDomain.", "type": "integer"},
              "basis": {"enum": ["observed", "documented", "assumed"]},
              "losing": {"description": "Whether it migrates and drops data that rows hold, or may hold.", "const": true},
              "ways": {
                "description": "The verdict on each way of opening.",
                "type": "object",
                "additionalProperties": false,
                "properties": {
                  "none": {"$ref": "#/$defs/verdict"},
                  "automatic": {"$ref": "#/$defs/verdict"},
                  "staged": {"$ref": "#/$defs/verdict"},
                  "manual": {"$ref": "#/$defs/verdict"}
                }
              },
              "decisions": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/decision"}}
            }
          },
          "verdict": {"enum": ["opens", "migrates", "blocked-by-data", "needs-custom-stage", "unknown-version", "foreign-model", "damaged"]},
          "decision": {
            "description": "Rows that stop the migration or leave its outcome uncertain.",
            "type": "object",
            "additionalProperties": false,
            "required": ["stops", "count", "message", "choices"],
            "properties": {
              "entity": {"type": "string"},
              "property": {"description": "Several are separated by commas.", "type": "string"},
              "stops": {"description": "Whether the migration fails because of them.", "type": "boolean"},
              "count": {"type": "integer", "minimum": 1},
              "keys": {"description": "Z_PK of the first of them.", "type": "array", "minItems": 1, "items": {"type": "integer"}},
              "message": {"type": "string"},
              "code": {"description": "Of the migration, or of the next save of such an object, in NSCocoaErrorDomain.", "type": "integer"},
              "choices": {
                "description": "Repairs, any one of which is enough; empty where none helps.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["options"],
                  "properties": {
                    "options": {"description": "Arguments of storedoctor repair.", "type": "array", "minItems": 1, "items": {"type": "string"}},
                    "caution": {"description": "What to know or to do before.", "type": "string"}
                  }
                }
              },
              "elsewhere": {"description": "What can be done in the model or by a stage.", "type": "string"}
            }
          },
          "operation": {
            "type": "object",
            "additionalProperties": false,
            "required": ["repair", "summary", "grade", "expectedChanges", "edit"],
            "properties": {
              "repair": {"$ref": "#/$defs/repair"},
              "summary": {"type": "string"},
              "entity": {"type": "string"},
              "property": {"type": "string"},
              "grade": {"$ref": "#/$defs/grade"},
              "expectedChanges": {"description": "Rows, indexes or files; another number stops everything.", "type": "integer", "minimum": 1},
              "edit": {"$ref": "#/$defs/edit"},
              "groups": {
                "description": "The groups of duplicates whose others the operation removes: those become the one that stays, or are deleted.",
                "type": "array",
                "minItems": 1,
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["keep", "others"],
                  "properties": {
                    "keep": {"description": "Z_PK.", "type": "integer"},
                    "others": {"description": "Z_PK of each.", "type": "array", "minItems": 1, "items": {"type": "integer"}}
                  }
                }
              }
            }
          },
          "edit": {
            "anyOf": [
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "required": ["rows"],
                "properties": {"rows": {"$ref": "#/$defs/rows"}}
              },
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "required": ["reindex"],
                "properties": {"reindex": {"type": "string"}}
              },
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "required": ["createUniqueIndex"],
                "properties": {
                  "createUniqueIndex": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["name", "table", "columns", "replaces"],
                    "properties": {
                      "name": {"type": "string"},
                      "table": {"type": "string"},
                      "columns": {"type": "array", "minItems": 1, "items": {"type": "string"}},
                      "replaces": {"type": "boolean"}
                    }
                  }
                }
              },
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "required": ["highWater"],
                "properties": {
                  "highWater": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["entity", "key"],
                    "properties": {"entity": {"description": "Z_ENT.", "type": "integer"}, "key": {"type": "integer", "minimum": 0}}
                  }
                }
              },
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "required": ["renameEntity"],
                "properties": {
                  "renameEntity": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["entity", "name"],
                    "properties": {"entity": {"description": "Z_ENT.", "type": "integer"}, "name": {"type": "string"}}
                  }
                }
              },
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "required": ["metadata"],
                "properties": {
                  "metadata": {
                    "type": "object",
                    "additionalProperties": false,
                    "minProperties": 1,
                    "properties": {"digest": {"type": "string"}, "checksum": {"type": "string"}}
                  }
                }
              },
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "required": ["moveExternalFile"],
                "properties": {"moveExternalFile": {"type": "string"}}
              },
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "required": ["compact"],
                "properties": {
                  "compact": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["bytes"],
                    "properties": {"bytes": {"description": "The length of the file afterwards.", "type": "integer", "minimum": 0}}
                  }
                }
              }
            ]
          },
          "rows": {
            "type": "object",
            "additionalProperties": false,
            "required": ["table", "action", "key", "sql"],
            "properties": {
              "table": {"type": "string"},
              "action": {"enum": ["insert", "update", "delete"]},
              "key": {
                "description": "The columns that tell a row apart.",
                "type": "array",
                "minItems": 1,
                "maxItems": 2,
                "items": {"type": "string"}
              },
              "set": {"description": "The columns that get values.", "type": "array", "minItems": 1, "items": {"type": "string"}},
              "countsLock": {"description": "Whether Z_OPT counts one more.", "const": true},
              "byTriggers": {"description": "There where the store's own triggers make the change, which is confirmed and not carried out.", "const": true},
              "sql": {"description": "For reading only.", "type": "string"},
              "keys": {
                "description": "The rows, by Z_PK.",
                "type": "string",
                "pattern": "^-?[0-9]+(--?[0-9]+)?(,-?[0-9]+(--?[0-9]+)?)*$"
              },
              "links": {
                "description": "The rows of a join table, each by its two keys.",
                "type": "array",
                "minItems": 1,
                "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"$ref": "#/$defs/key"}}
              },
              "sharedValues": {"description": "What every row gets.", "type": "array", "minItems": 1, "items": {"$ref": "#/$defs/value"}},
              "values": {
                "description": "What each row gets, in the order of the keys.",
                "type": "array",
                "minItems": 1,
                "items": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/value"}}
              }
            }
          },
          "value": {
            "description": "A value as SQLite stores it; bytes, and text that is not UTF-8, in base64.",
            "anyOf": [
              {"type": ["null", "integer", "string"]},
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "properties": {"real": {"type": ["number", "string"]}}
              },
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "properties": {"text": {"type": "string"}}
              },
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "properties": {"blob": {"type": "string"}}
              }
            ]
          },
          "key": {
            "description": "A key, or the storage class of what stands in its place and is not shown.",
            "anyOf": [
              {"$ref": "#/$defs/value"},
              {
                "type": "object",
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
                "properties": {"real": {"type": "null"}, "text": {"type": "null"}, "blob": {"type": "null"}}
              }
            ]
          },
          "obstacle": {
            "description": "Something that was asked for and cannot be done.",
            "type": "object",
            "additionalProperties": false,
            "required": ["repair", "count", "message", "refusesPlan"],
            "properties": {
              "repair": {"$ref": "#/$defs/repair"},
              "entity": {"type": "string"},
              "property": {"type": "string"},
              "count": {"description": "How many rows it is about.", "type": "integer", "minimum": 0},
              "keys": {
                "description": "The first of them, by Z_PK.",
                "type": "array",
                "minItems": 1,
                "maxItems": 10,
                "items": {"type": "integer"}
              },
              "message": {"description": "Why, and what can be done.", "type": "string"},
              "refusesPlan": {"description": "Whether nothing else may be done either.", "type": "boolean"}
            }
          },
          "condition": {
            "description": "What a store is like, counted.",
            "type": "object",
            "additionalProperties": false,
            "required": ["rows", "isIntact", "findings"],
            "properties": {
              "rows": {
                "description": "Rows of each entity without those of its sub-entities, by name; links of each join table, by the table's name.",
                "type": "object",
                "additionalProperties": {"type": "integer", "minimum": 0}
              },
              "isIntact": {"description": "Whether SQLite's integrity check complains of nothing.", "type": "boolean"},
              "findings": {"type": "array", "items": {"$ref": "#/$defs/finding"}},
              "opening": {"$ref": "#/$defs/opening"}
            }
          },
          "finding": {
            "type": "object",
            "additionalProperties": false,
            "required": ["id", "severity", "count"],
            "properties": {
              "id": {"type": "string", "pattern": "^SD[0-9]{3}$"},
              "severity": {"enum": ["error", "warning", "note"]},
              "entity": {"type": "string"},
              "property": {"type": "string"},
              "count": {"description": "Rows, files or pages.", "type": "integer", "minimum": 1}
            }
          },
          "repair": {
            "enum": ["reindex", "restore-from-history", "restore", "merge", "join-orphans", "self-link-mirrors", "companions", "order-keys", "high-water", "dangling", "wrong-entity", "inverses", "entity-names", "backfill", "relink", "dedupe", "junctions", "external-files", "metadata", "unique-indexes", "trim-history", "compact"]
          },
          "grade": {
            "description": "What has to be said for it to be done: nothing; its name (renames, where values are changed; named, where more than one outcome could be right); its name and --allow-lossy, or --allow-metadata.",
            "enum": ["safe", "renames", "named", "lossy", "metadata"]
          }
        }
      }

      """#),
  JSONSchema(
    kind: "recipe", id: "storedoctor.recipe/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.recipe/1",
        "title": "storedoctor.recipe/1",
        "description": "What a recipe for `storedoctor repair` may say, as JSON would say it; plans carry one of this form. storedoctor refuses what this refuses, expressions that are none, and names that the store does not have.",
        "type": "object",
        "additionalProperties": false,
        "required": ["version"],
        "properties": {
          "version": { "const": 1 },
          "dedupe": { "description": "Rows that are to be one.", "type": "array", "maxItems": 1000, "items": { "$ref": "#/$defs/dedupe" } },
          "backfill": { "description": "Values for rows that have NULL.", "type": "array", "maxItems": 1000, "items": { "$ref": "#/$defs/backfill" } },
          "relink": { "description": "Empty relationships whose objects are found again.", "type": "array", "maxItems": 1000, "items": { "anyOf": [{ "$ref": "#/$defs/matchedRelink" }, { "$ref": "#/$defs/inverseRelink" }] } },
          "junctions": { "description": "Entities that get an object for each link of a many-to-many relationship.", "type": "array", "maxItems": 1000, "items": { "$ref": "#/$defs/junction" } },
          "restore": { "description": "Deleted objects that are put back from an older copy of the store, or from a report of what was recovered.", "type": "array", "maxItems": 1000, "items": { "$ref": "#/$defs/restore" } },
          "merge": { "description": "Other stores of the same model whose objects are taken.", "type": "array", "maxItems": 1000, "items": { "$ref": "#/$defs/merge" } },
          "dangling": { "description": "What becomes of keys that lead to no object; nullify-optional leaves those of required relationships.", "enum": ["nullify", "nullify-optional", "delete-source", "restore-from-history"] },
          "wrongEntity": { "description": "What becomes of keys that lead to an object of the wrong entity.", "enum": ["nullify"] },
          "inverses": { "description": "One-to-one relationships that are known on one side only.", "type": "array", "maxItems": 1000, "items": { "$ref": "#/$defs/inverse" } },
          "structure": {
            "description": "What Core Data keeps beside the values.",
            "type": "array",
            "maxItems": 1000,
            "items": { "enum": ["reindex", "join-orphans", "self-link-mirrors", "companions", "repeated-order-keys", "order-keys", "high-water", "unique-indexes", "entity-names", "external-files", "metadata"] }
          },
          "trimHistory": {
            "description": "Transactions of persistent history that are removed, with their changes; the newest always stays.",
            "type": "object",
            "additionalProperties": false,
            "minProperties": 1,
            "maxProperties": 1,
            "properties": {
              "before": { "description": "Those before a day or a moment, in UTC where no zone is given.", "$ref": "#/$defs/text" },
              "keep": { "description": "All but this many, the newest.", "type": "integer", "minimum": 1 }
            }
          },
          "compact": { "description": "Whether the file is written anew without its free pages; what could be recovered from them is gone then.", "type": "boolean" }
        },
        "$defs": {
          "name": { "description": "A name, or names with dots between: a leaf of a composite attribute, or a path over to-one relationships.", "type": "string", "pattern": "^[^.]+(\\.[^.]+)*$" },
          "names": { "type": "array", "minItems": 1, "maxItems": 64, "items": { "$ref": "#/$defs/name" } },
          "text": { "type": "string", "pattern": "." },
          "compare": { "description": "How texts are compared; each takes all for equal that those before it do.", "enum": ["exact", "trimmed", "casefolded", "normalized"] },
          "dedupe": {
            "type": "object",
            "additionalProperties": false,
            "required": ["entity", "by"],
            "properties": {
              "entity": { "$ref": "#/$defs/name" },
              "by": { "description": "Attributes, leaves of composite ones, to-one relationships.", "$ref": "#/$defs/names" },
              "compare": { "$ref": "#/$defs/compare" },
              "nulls": { "description": "Whether NULL equals NULL; distinct unless said otherwise.", "enum": ["distinct", "equal"] },
              "keep": {
                "description": "Which row stays; first unless said otherwise.",
                "anyOf": [
                  { "enum": ["first", "last", "most-complete", "most-linked"] },
                  { "type": "object", "additionalProperties": false, "required": ["newest"], "properties": { "newest": { "$ref": "#/$defs/name" } } },
                  { "type": "object", "additionalProperties": false, "required": ["oldest"], "properties": { "oldest": { "$ref": "#/$defs/name" } } }
                ]
              },
              "others": {
                "description": "What becomes of the other rows; merge unless said otherwise.",
                "anyOf": [
                  { "enum": ["merge", "delete"] },
                  { "type": "object", "additionalProperties": false, "required": ["rename"], "properties": { "rename": { "description": "{n} counts from 2, other names in braces are attributes.", "type": "string", "pattern": "\\{n\\}" } } }
                ]
              }
            }
          },
          "backfill": {
            "description": "The first of from, group, expression, value and generate that gives a value decides.",
            "type": "object",
            "additionalProperties": false,
            "required": ["entity", "attribute"],
            "minProperties": 3,
            "properties": {
              "entity": { "$ref": "#/$defs/name" },
              "attribute": { "$ref": "#/$defs/name" },
              "from": { "description": "Another attribute, or one over to-one relationships.", "$ref": "#/$defs/name" },
              "group": { "description": "The first value among the rows that are equal in these.", "$ref": "#/$defs/names" },
              "expression": { "description": "Computed from the row: attributes, numbers, 'texts', operators, case and functions.", "$ref": "#/$defs/text" },
              "value": { "description": "The same for all rows, read by the attribute's type: dates in ISO 8601, bytes in base64.", "type": ["string", "number", "boolean"] },
              "generate": { "enum": ["now", "uuid", "sequence", "default"] }
            }
          },
          "matchedRelink": {
            "type": "object",
            "additionalProperties": false,
            "required": ["entity", "relationship", "match"],
            "properties": {
              "entity": { "$ref": "#/$defs/name" },
              "relationship": { "$ref": "#/$defs/name" },
              "match": { "description": "Own attribute: the destination's that has to be equal.", "type": "object", "minProperties": 1, "maxProperties": 64, "additionalProperties": { "$ref": "#/$defs/name" } },
              "compare": { "$ref": "#/$defs/compare" },
              "separator": { "description": "What stands between the texts of a list, for a many-to-many relationship.", "$ref": "#/$defs/text" }
            }
          },
          "inverseRelink": {
            "type": "object",
            "additionalProperties": false,
            "required": ["entity", "relationship", "from"],
            "properties": {
              "entity": { "$ref": "#/$defs/name" },
              "relationship": { "$ref": "#/$defs/name" },
              "from": { "const": "inverse" }
            }
          },
          "junction": {
            "type": "object",
            "additionalProperties": false,
            "required": ["from", "entity", "source", "destination"],
            "properties": {
              "from": { "description": "The many-to-many relationship: Student.courses.", "$ref": "#/$defs/name" },
              "entity": { "$ref": "#/$defs/name" },
              "source": { "description": "The relationship to the object that 'from' begins at.", "$ref": "#/$defs/name" },
              "destination": { "description": "The relationship to the other end.", "$ref": "#/$defs/name" }
            }
          },
          "restore": {
            "type": "object",
            "additionalProperties": false,
            "anyOf": [{ "required": ["from"] }, { "required": ["report"] }],
            "properties": {
              "from": { "description": "The older copy: a store, or one with @N for its state as of commit N.", "$ref": "#/$defs/text" },
              "report": { "description": "A report of 'recover --format json' that has the values of deleted objects.", "$ref": "#/$defs/text" },
              "entity": { "description": "Only objects of this entity and of its subentities; all without one.", "$ref": "#/$defs/name" },
              "keys": { "description": "Only the objects with these keys (Z_PK).", "type": "array", "minItems": 1, "maxItems": 100000, "items": { "type": "integer" } },
              "related": { "description": "Whether objects that are linked with them and are gone as well are put back, too.", "type": "boolean" }
            }
          },
          "merge": {
            "type": "object",
            "additionalProperties": false,
            "required": ["from"],
            "properties": {
              "from": { "description": "The other store, which is only read.", "$ref": "#/$defs/text" },
              "by": {
                "description": "For entities and their subentities the attributes that tell which objects are the same in both.",
                "type": "object",
                "minProperties": 1,
                "maxProperties": 1000,
                "additionalProperties": { "$ref": "#/$defs/names" }
              },
              "newest": {
                "description": "For entities and their subentities the attribute whose later value decides which object counts.",
                "type": "object",
                "minProperties": 1,
                "maxProperties": 1000,
                "additionalProperties": { "$ref": "#/$defs/name" }
              },
              "keep": { "description": "Whose values count for all other entities: those of the store that is changed, or of the other.", "enum": ["new", "old"] }
            }
          },
          "inverse": {
            "type": "object",
            "additionalProperties": false,
            "required": ["entity", "relationship", "from"],
            "properties": {
              "entity": { "$ref": "#/$defs/name" },
              "relationship": { "$ref": "#/$defs/name" },
              "from": { "description": "The side that is right.", "enum": ["this", "other"] }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "recovery", id: "storedoctor.recovery/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.recovery/1",
        "title": "storedoctor.recovery/1",
        "description": "What `storedoctor recover --format json` prints; with `--format jsonl` each line is one of `rows`. Members that are not required are left out when there is nothing to say.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "isStore", "bytesSearched", "freedSpace", "database", "files", "summary", "droppedTables", "notes", "objects", "rows", "checksum"],
        "properties": {
          "schema": { "const": "storedoctor.recovery/1" },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version"],
            "properties": { "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+" } }
          },
          "isStore": { "description": "Whether it was read as a Core Data store; false with --any-sqlite.", "type": "boolean" },
          "uuid": { "description": "`Z_UUID` of the store that was searched.", "type": "string" },
          "case": { "description": "--case; compared by --verify through the checksum alone.", "type": "string" },
          "examiner": { "description": "--examiner, likewise.", "type": "string" },
          "verdict": { "description": "How many objects became what, as far as they are in this document, in words.", "type": "string" },
          "objects": {
            "description": "The objects of which something was found, by number; a key that only a gap shows is in `rows` alone. Of a database that is no store each row is one.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": ["object", "fate", "key", "hasContent", "versions"],
              "properties": {
                "object": { "$ref": "#/$defs/number" },
                "fate": { "description": "What became of it. there: it exists, and what was found are versions that it had before. link: a row of a many-to-many table that is gone, which is no object. The others as `kind` of a row.", "enum": ["deleted", "there", "undecided", "never-committed", "unreachable", "link"] },
                "entity": { "type": "string" },
                "table": { "type": "string" },
                "key": { "anyOf": [{ "type": "integer" }, { "const": "unknown" }] },
                "deletedAt": { "$ref": "#/$defs/deletedAt" },
                "hasContent": { "description": "Whether bytes of a version were found.", "type": "boolean" },
                "versions": {
                  "description": "What was found of it, the oldest first.",
                  "type": "array",
                  "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["row"],
                    "properties": {
                      "row": { "description": "Its place in `rows`, from 0: values, bytes and witnesses.", "type": "integer", "minimum": 0 },
                      "saves": { "description": "`Z_OPT`.", "type": "integer" },
                      "differsFrom": { "description": "What it is compared with: \"there\" for the row that is there today, else the number of the next version, as in 12.3. Left out where there is neither.", "type": "string" },
                      "changed": { "description": "Names of values that are not the same there.", "type": "array", "items": { "type": "string" } }
                    }
                  }
                }
              }
            }
          },
          "choice": {
            "description": "What of the search is in this document; left out where all is.",
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "entities": { "description": "--entity", "type": "array", "items": { "type": "string" } },
              "grade": { "description": "--grade", "enum": ["shown", "proved"] },
              "since": { "description": "--since, seconds since 2001-01-01 UTC.", "type": "number" },
              "until": { "description": "--until, likewise.", "type": "number" },
              "limit": { "description": "--limit", "type": "integer" },
              "part": { "description": "What is shown in place of results.", "enum": ["summary", "models"] },
              "models": { "description": "--model", "type": "array", "items": { "type": "string" } }
            }
          },
          "freedSpace": {
            "description": "What is free in the newest state, and how much of it still has content; the rest was wiped.",
            "type": "object",
            "additionalProperties": false,
            "required": ["blocks", "blocksWithContent", "pages", "pagesWithContent"],
            "properties": {
              "blocks": { "description": "Freed blocks within pages of tables.", "type": "integer" },
              "blocksWithContent": { "description": "Those with a byte behind their head that is not zero.", "type": "integer" },
              "pages": { "description": "Free pages that list no others.", "type": "integer" },
              "pagesWithContent": { "description": "Those with a byte that is not zero.", "type": "integer" }
            }
          },
          "checksum": { "description": "SHA-256 of the document without this member, in one line, without white space and with sorted members; 64 hexadecimal digits.", "type": "string", "pattern": "^[0-9a-f]{64}$" },
          "bytesSearched": { "description": "Bytes of the versions of pages that were searched; of all, unless the search stopped.", "type": "integer" },
          "bytesUnsearched": { "description": "Bytes of the other versions of pages, where the search stopped because it had found more rows than are kept: counts are then what there is at least.", "type": "integer" },
          "database": {
            "description": "The database as header and schema describe it, in its newest state, rows in the log included.",
            "type": "object",
            "additionalProperties": false,
            "required": ["pageSize", "pages", "freePages", "encoding", "readVersion", "writeVersion", "tables"],
            "properties": {
              "pageSize": { "enum": [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536] },
              "pages": { "type": "integer" },
              "freePages": { "type": "integer" },
              "encoding": { "enum": ["UTF-8", "UTF-16le", "UTF-16be"] },
              "readVersion": { "description": "1 for a rollback journal, 2 for a write-ahead log.", "type": "integer" },
              "writeVersion": { "description": "Likewise.", "type": "integer" },
              "tables": {
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["name", "columns"],
                  "properties": {
                    "name": { "type": "string" },
                    "sql": { "description": "The statement that made it.", "type": "string" },
                    "rows": { "description": "Left out where the table could not be read whole.", "type": "integer" },
                    "columns": {
                      "description": "Empty where the statement could not be read.",
                      "type": "array",
                      "items": {
                        "type": "object",
                        "additionalProperties": false,
                        "required": ["name", "type"],
                        "properties": {
                          "name": { "type": "string" },
                          "type": { "description": "As declared; empty for none.", "type": "string" },
                          "primaryKey": { "description": "The place in the primary key, from 1; left out of columns that are not in it.", "type": "integer" }
                        }
                      }
                    }
                  }
                }
              }
            }
          },
          "files": {
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": ["role", "path", "size"],
              "properties": {
                "role": { "$ref": "#/$defs/role" },
                "path": { "type": "string" },
                "size": { "description": "Length in bytes.", "type": "integer" }
              }
            }
          },
          "summary": {
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": ["name", "table", "live", "proved", "shown", "implied", "earlierVersions"],
              "properties": {
                "name": { "description": "The root entity.", "type": "string" },
                "table": { "type": "string" },
                "ever": { "description": "Keys handed out (`Z_MAX`).", "type": "integer" },
                "live": { "description": "Rows in the table.", "type": "integer" },
                "proved": { "type": "integer" },
                "shown": { "type": "integer" },
                "implied": { "description": "Keys that only a gap shows, listed or not.", "type": "integer" },
                "earlierVersions": { "type": "integer" },
                "undecided": { "description": "Rows without a key: of objects that are gone, or versions of such as are there.", "type": "integer" },
                "neverCommitted": { "description": "Rows of a transaction that was never finished.", "type": "integer" }
              }
            }
          },
          "droppedTables": { "description": "Tables that are in the file and no more in the schema.", "type": "array", "items": { "type": "string" } },
          "notes": { "description": "What could not be read or was left out.", "type": "array", "items": { "type": "string" } },
          "reading": {
            "description": "What the answer rests on.",
            "type": "object",
            "additionalProperties": false,
            "required": ["complete", "sound", "log", "accessTimes"],
            "properties": {
              "complete": { "description": "Whether all that was saved is in what was read.", "enum": ["yes", "no", "unknown"] },
              "sound": { "description": "Whether the tables that were read show all their rows; unknown where pages were not looked at.", "enum": ["yes", "no", "unknown"] },
              "log": { "description": "What became of the write-ahead log: read; none; foreign, so not read; or leftOut, as was asked for.", "enum": ["read", "none", "foreign", "leftOut"] },
              "namedLog": { "description": "The log that --wal named, which was read in place of the one beside the store.", "type": "string" },
              "fittingLogs": { "description": "Logs beside the store under other names that fit and were not read.", "type": "array", "items": { "type": "string" } },
              "unfinishedRepair": { "description": "The journal of a repair in place that stopped before its end, beside the store.", "type": "string" },
              "abandonedJournal": { "description": "The folder that a repair in place or an undo left when it was ended before it changed anything.", "type": "string" },
              "journal": { "description": "There where a hot rollback journal was applied in memory.", "const": "applied" },
              "accessTimes": { "description": "Whether reading left the files' access times alone.", "enum": ["kept", "mayHaveChanged"] },
              "reasons": { "description": "Why it is not complete, or why that is not known.", "type": "array", "items": { "type": "string" } },
              "unread": { "description": "What the store has and what could not be read of it, besides rows: its metadata, or its model cache.", "type": "array", "items": { "type": "string" } },
              "damage": { "description": "What is damaged of the tables that were read.", "type": "array", "items": { "type": "string" } }
            }
          },
          "models": { "description": "Earlier versions of the store's model, and other former metadata.", "type": "array", "items": { "$ref": "#/$defs/model" } },
          "rows": { "type": "array", "items": { "$ref": "#/$defs/row" } }
        },
        "$defs": {
          "number": { "description": "The number by which an object is cited: the same in every format, and whatever is chosen of the results.", "type": "integer", "minimum": 1 },
          "deletedAt": { "description": "When a change of the history deleted it, by the device's clock.", "type": "string" },
          "role": { "enum": ["main", "wal", "journal"] },
          "row": {
            "type": "object",
            "additionalProperties": false,
            "required": ["object", "key", "kind", "grade", "values", "places"],
            "properties": {
              "object": { "$ref": "#/$defs/number" },
              "version": { "description": "Its number among the versions that were found of the object, the oldest first; left out of the only one.", "type": "integer", "minimum": 1 },
              "deletedAt": { "$ref": "#/$defs/deletedAt" },
              "store": { "description": "The store's path; only in lines of --all.", "type": "string" },
              "entity": { "type": "string" },
              "table": { "type": "string" },
              "key": { "description": "`Z_PK` or row id; \"unknown\" where it is lost.", "anyOf": [{ "type": "integer" }, { "const": "unknown" }] },
              "keyFrom": { "description": "What the key follows from, where it does not stand in the row: a unique value of another row, the place between two cells of its page, or what is left of an index entry.", "enum": ["value", "place", "index"] },
              "readWith": { "description": "What told of the earlier version of the model by which it is read; without an entity, why that is not known.", "type": "string" },
              "kind": { "description": "undecided: without a key, so of an object that is gone or a version of one that is there. never-committed: only in a transaction that was never finished. unreachable: its damaged table does not show it, or it is in frames of the log behind a damaged one, and it may be there all the same.", "enum": ["deleted", "earlier-version", "undecided", "never-committed", "unreachable"] },
              "grade": { "enum": ["proved", "shown", "implied"] },
              "values": { "type": "array", "items": { "$ref": "#/$defs/value" } },
              "missing": { "description": "Names of values that are lost.", "type": "array", "items": { "type": "string" } },
              "places": { "description": "Where its bytes are; at most some copies.", "type": "array", "items": { "$ref": "#/$defs/place" } },
              "furtherCopies": { "type": "integer" },
              "between": { "$ref": "#/$defs/between" },
              "witnesses": { "type": "array", "items": { "$ref": "#/$defs/witness" } }
            }
          },
          "model": {
            "type": "object",
            "additionalProperties": false,
            "required": ["source", "grade", "versionIdentifiers", "checksum", "entities", "places"],
            "properties": {
              "source": { "description": "`Z_METADATA` has version hashes, `Z_MODELCACHE` the model itself.", "enum": ["metadata", "cache"] },
              "grade": { "enum": ["proved", "shown"] },
              "isCurrent": { "description": "Whether the store has this version now, so that only other metadata changed; absent where it has no hashes.", "type": "boolean" },
              "versionIdentifiers": { "type": "array", "items": { "type": "string" } },
              "checksum": { "description": "Of the version hashes, base-64.", "type": "string" },
              "frameworkVersion": { "type": "integer" },
              "entities": { "type": "array", "items": { "type": "string" } },
              "changedEntities": { "description": "Entities with another hash than now, or that are only in one of the two.", "type": "array", "items": { "type": "string" } },
              "places": { "type": "array", "items": { "$ref": "#/$defs/place" } },
              "between": { "$ref": "#/$defs/between" },
              "witnesses": { "type": "array", "items": { "$ref": "#/$defs/witness" } },
              "model": { "description": "With --models: `storedoctor.model/1`, as `model convert --to json` writes it.", "type": "object" }
            }
          },
          "between": {
            "description": "When it was deleted, or the version replaced: after the last witness with a clock that saw it, before the first that did not.",
            "type": "object",
            "additionalProperties": false,
            "properties": { "after": { "type": "string" }, "before": { "type": "string" } }
          },
          "value": {
            "description": "One of value, real (not finite), textBytes (text that is not UTF-8, hexadecimal) and blob (hexadecimal).",
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "column"],
            "properties": {
              "name": { "description": "Attribute or relationship; the column where no model says more.", "type": "string" },
              "column": { "type": "string" },
              "type": { "description": "The attribute's type, as Xcode names it; absent for relationships and where no model tells.", "type": "string" },
              "value": { "type": ["null", "integer", "number", "string"] },
              "real": { "type": "string" },
              "textBytes": { "type": "string" },
              "blob": { "type": "string" }
            }
          },
          "place": {
            "type": "object",
            "additionalProperties": false,
            "required": ["file", "page", "start", "end", "method", "checksum"],
            "properties": {
              "file": { "$ref": "#/$defs/role" },
              "page": { "type": "integer" },
              "frame": { "description": "Frame of the log or record of the journal, from 0.", "type": "integer" },
              "start": { "description": "Offset in the file.", "type": "integer" },
              "end": { "description": "Offset behind the last byte.", "type": "integer" },
              "method": { "enum": ["cell", "gap", "freeblock", "overflow"] },
              "checksum": { "description": "FNV-1a of the bytes, 64 bits, hexadecimal: finds changes, proves no identity.", "type": "string" }
            }
          },
          "witness": {
            "type": "object",
            "additionalProperties": false,
            "required": ["shows", "what"],
            "properties": {
              "shows": { "enum": ["present", "absent"] },
              "what": { "type": "string" },
              "time": { "description": "ISO 8601, UTC; of a commit without history the time of the next commit that is certain.", "type": "string" },
              "commit": { "description": "The commit of the log, from 1; 0 for the main file before it.", "type": "integer" }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "rehearsal", id: "storedoctor.rehearsal/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.rehearsal/1",
        "title": "storedoctor.rehearsal/1",
        "description": "What `storedoctor rehearse --format json` prints. `--format jsonl` prints lines of storedoctor.audit with a member `rehearsal`.",
        "type": "object",
        "additionalProperties": false,
        "required": [
          "schema",
          "tool",
          "passed",
          "counts",
          "stores"
        ],
        "properties": {
          "schema": {
            "const": "storedoctor.rehearsal/1"
          },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "version"
            ],
            "properties": {
              "version": {
                "type": "string",
                "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"
              }
            }
          },
          "passed": {
            "description": "Whether each store opens, or was migrated as it was judged; with --fail-on-loss, whether none loses anything either.",
            "type": "boolean"
          },
          "counts": {
            "description": "Stores by outcome; outcomes without stores are left out.",
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "performed": {
                "type": "integer",
                "minimum": 1
              },
              "opens": {
                "type": "integer",
                "minimum": 1
              },
              "not-possible": {
                "type": "integer",
                "minimum": 1
              },
              "not-rehearsed": {
                "type": "integer",
                "minimum": 1
              },
              "not-as-judged": {
                "type": "integer",
                "minimum": 1
              },
              "unreadable": {
                "type": "integer",
                "minimum": 1
              }
            }
          },
          "stores": {
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": [
                "path",
                "outcome"
              ],
              "properties": {
                "path": {
                  "type": "string"
                },
                "id": {
                  "type": "string"
                },
                "version": {
                  "description": "The given version with the store's hashes.",
                  "type": "string"
                },
                "verdict": {
                  "description": "As in storedoctor.diagnosis.",
                  "type": "string"
                },
                "outcome": {
                  "enum": [
                    "performed",
                    "opens",
                    "not-possible",
                    "not-rehearsed",
                    "not-as-judged",
                    "unreadable"
                  ]
                },
                "reasons": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                },
                "assumed": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                },
                "kept": {
                  "description": "Objects that are in store and result.",
                  "type": "integer",
                  "minimum": 0
                },
                "lost": {
                  "description": "Objects of entities that the target does not have.",
                  "type": "integer",
                  "minimum": 0
                },
                "lostValues": {
                  "description": "Values of attributes and relationships that the target does not have.",
                  "type": "integer",
                  "minimum": 0
                },
                "remarks": {
                  "description": "What the store's files leave open: a log that is missing, damage, access times.",
                  "type": "array",
                  "minItems": 1,
                  "items": {
                    "type": "string"
                  }
                },
                "losses": {
                  "description": "What SD809 says of each, a sentence each.",
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                },
                "output": {
                  "type": "string"
                },
                "bytes": {
                  "type": "integer",
                  "minimum": 0
                },
                "milliseconds": {
                  "type": "integer",
                  "minimum": 0
                }
              }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "row-entities", id: "storedoctor.row-entities/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.row-entities/1",
        "title": "storedoctor.row-entities/1",
        "description": "What `storedoctor rows STORE --format json` prints: the entities whose objects can be shown.",
        "type": "object",
        "additionalProperties": false,
        "required": [
          "schema",
          "tool",
          "store",
          "entities",
          "problems"
        ],
        "properties": {
          "schema": {
            "const": "storedoctor.row-entities/1"
          },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "version"
            ],
            "properties": {
              "version": {
                "type": "string",
                "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"
              }
            }
          },
          "store": {
            "$ref": "#/$defs/store"
          },
          "entities": {
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": [
                "name",
                "columns"
              ],
              "properties": {
                "name": {
                  "type": "string"
                },
                "rows": {
                  "description": "Objects, without those of subentities; left out where they cannot be counted.",
                  "type": "integer",
                  "minimum": 0
                },
                "title": {
                  "description": "The attribute that looks like a title, judged by names alone.",
                  "type": "string"
                },
                "parent": {
                  "type": "string"
                },
                "columns": {
                  "type": "array",
                  "items": {
                    "$ref": "#/$defs/column"
                  }
                }
              }
            }
          },
          "problems": {
            "description": "What cannot be read, in a sentence each.",
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        },
        "$defs": {
          "store": {
            "description": "What a store says of itself, of one shape in every document. What the command does not look at is left out.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "description": "As given, or as found in the folder that was given.", "type": "string" },
              "pathBytes": { "description": "The path in base-64, byte for byte, where it is not UTF-8.", "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" },
              "uuid": { "type": "string" },
              "frameworkVersion": { "description": "Of the framework that last wrote the metadata.", "type": "integer" },
              "versionIdentifiers": { "description": "Text given by the developer.", "type": "array", "items": { "type": "string" } },
              "modelSource": { "description": "Where the description of the entities comes from.", "enum": ["cache", "given", "inferred"] },
              "digest": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it.", "type": "string", "pattern": "^[A-Za-z0-9+/]{86}==$" },
              "checksum": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it; also where an older framework did not.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
              "reading": {
                "description": "What the answer rests on.",
                "type": "object",
                "additionalProperties": false,
                "required": ["complete", "sound", "log", "accessTimes"],
                "properties": {
                  "complete": { "description": "Whether all that was saved is in what was read.", "enum": ["yes", "no", "unknown"] },
                  "sound": { "description": "Whether the tables that were read show all their rows; unknown where pages were not looked at.", "enum": ["yes", "no", "unknown"] },
                  "log": { "description": "What became of the write-ahead log: read; none; foreign, so not read; or leftOut, as was asked for.", "enum": ["read", "none", "foreign", "leftOut"] },
                  "namedLog": { "description": "The log that --wal named, which was read in place of the one beside the store.", "type": "string" },
                  "fittingLogs": { "description": "Logs beside the store under other names that fit and were not read.", "type": "array", "items": { "type": "string" } },
                  "unfinishedRepair": { "description": "The journal of a repair in place that stopped before its end, beside the store.", "type": "string" },
                  "abandonedJournal": { "description": "The folder that a repair in place or an undo left when it was ended before it changed anything.", "type": "string" },
                  "journal": { "description": "There where a hot rollback journal was applied in memory.", "const": "applied" },
                  "accessTimes": { "description": "Whether reading left the files' access times alone.", "enum": ["kept", "mayHaveChanged"] },
                  "reasons": { "description": "Why it is not complete, or why that is not known.", "type": "array", "items": { "type": "string" } },
                  "unread": { "description": "What the store has and what could not be read of it, besides rows: its metadata, or its model cache.", "type": "array", "items": { "type": "string" } },
                  "damage": { "description": "What is damaged of the tables that were read.", "type": "array", "items": { "type": "string" } }
                }
              },
              "asOf": { "description": "The commit of its write-ahead log as of which the store was read; absent where all of it was.", "type": "object", "additionalProperties": false, "required": ["commit", "commits"], "properties": { "commit": { "description": "Counted from 1; 0 is before the first.", "type": "integer", "minimum": 0 }, "commits": { "description": "How many the log has.", "type": "integer", "minimum": 0 } } },
              "hashes": { "description": "Entity to version hash, in hex digits.", "type": "object", "additionalProperties": { "type": "string", "pattern": "^[0-9a-f]{64}$" } },
              "fingerprint": { "description": "SHA-256 over the main file and the committed frames of the WAL.", "type": "string", "pattern": "^[0-9a-f]{64}$" },
              "files": {
                "description": "The main file first, then what lies beside it.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["role", "bytes"],
                  "properties": {
                    "role": { "enum": ["main", "wal", "shm", "journal", "support"] },
                    "bytes": { "type": "integer", "minimum": 0 },
                    "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" }
                  }
                }
              },
              "journalMode": { "enum": ["wal", "delete"] },
              "pageSize": { "enum": [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536] },
              "freePages": { "type": "integer", "minimum": 0 },
              "wal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["frames", "committedFrames", "framesNotInMain", "belongsToStore", "reasons", "read"],
                "properties": {
                  "frames": { "type": "integer", "minimum": 0 },
                  "committedFrames": { "type": "integer", "minimum": 0 },
                  "framesNotInMain": { "type": "integer", "minimum": 0 },
                  "belongsToStore": { "enum": ["yes", "no", "unknown"] },
                  "reasons": { "type": "array", "items": { "type": "string" } },
                  "read": { "description": "Whether the rows that are shown include it.", "type": "boolean" }
                }
              },
              "hotJournal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["pagesRestored"],
                "properties": { "pagesRestored": { "type": "integer", "minimum": 0 } }
              },
              "accessTimesKept": { "type": "boolean" }
            }
          },
          "column": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "name",
              "type"
            ],
            "properties": {
              "name": {
                "type": "string"
              },
              "type": {
                "description": "As Xcode has it ('Integer 16', 'Date'), 'to-one Folder', 'to-many Tag', 'ordered to-many Tag', 'key', 'entity', 'version', or 'stored' for a column that no model describes.",
                "type": "string"
              }
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "rows", id: "storedoctor.rows/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.rows/1",
        "title": "storedoctor.rows/1",
        "description": "What `storedoctor rows STORE ENTITY --format json` prints. `--format jsonl` prints the elements of `rows`, one a line.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "store", "entity", "columns", "rows", "count", "remarks"],
        "properties": {
          "schema": { "const": "storedoctor.rows/1" },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": ["version"],
            "properties": { "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+" } }
          },
          "store": { "$ref": "#/$defs/store" },
          "entity": { "description": "The entity that was asked for.", "type": "string" },
          "columns": { "description": "What the objects have, in order.", "type": "array", "items": { "$ref": "#/$defs/column" } },
          "rows": {
            "description": "The objects. Members are named as the columns; one that the object's entity does not have is left out. Names that begin with '_' are no properties: `_key` is Z_PK, `_entity` the object's own entity, `_version` Z_OPT, `_state` (with `--deleted`) 'live', or kind and grade of what is left of an object that is gone; of such an object what is lost is left out.",
            "type": "array",
            "items": { "type": "object", "additionalProperties": { "$ref": "#/$defs/value" } }
          },
          "count": { "description": "How many objects are shown.", "type": "integer", "minimum": 0 },
          "total": { "description": "How many there are; left out where reading stopped at the limit.", "type": "integer", "minimum": 0 },
          "remarks": { "description": "What is left out, or shown otherwise than the model says, in a sentence each.", "type": "array", "items": { "type": "string" } }
        },
        "$defs": {
          "store": {
            "description": "What a store says of itself, of one shape in every document. What the command does not look at is left out.",
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "description": "As given, or as found in the folder that was given.", "type": "string" },
              "pathBytes": { "description": "The path in base-64, byte for byte, where it is not UTF-8.", "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" },
              "uuid": { "type": "string" },
              "frameworkVersion": { "description": "Of the framework that last wrote the metadata.", "type": "integer" },
              "versionIdentifiers": { "description": "Text given by the developer.", "type": "array", "items": { "type": "string" } },
              "modelSource": { "description": "Where the description of the entities comes from.", "enum": ["cache", "given", "inferred"] },
              "digest": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it.", "type": "string", "pattern": "^[A-Za-z0-9+/]{86}==$" },
              "checksum": { "description": "Of the version hashes in the metadata, in base-64, as Core Data stores it; also where an older framework did not.", "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" },
              "reading": {
                "description": "What the answer rests on.",
                "type": "object",
                "additionalProperties": false,
                "required": ["complete", "sound", "log", "accessTimes"],
                "properties": {
                  "complete": { "description": "Whether all that was saved is in what was read.", "enum": ["yes", "no", "unknown"] },
                  "sound": { "description": "Whether the tables that were read show all their rows; unknown where pages were not looked at.", "enum": ["yes", "no", "unknown"] },
                  "log": { "description": "What became of the write-ahead log: read; none; foreign, so not read; or leftOut, as was asked for.", "enum": ["read", "none", "foreign", "leftOut"] },
                  "namedLog": { "description": "The log that --wal named, which was read in place of the one beside the store.", "type": "string" },
                  "fittingLogs": { "description": "Logs beside the store under other names that fit and were not read.", "type": "array", "items": { "type": "string" } },
                  "unfinishedRepair": { "description": "The journal of a repair in place that stopped before its end, beside the store.", "type": "string" },
                  "abandonedJournal": { "description": "The folder that a repair in place or an undo left when it was ended before it changed anything.", "type": "string" },
                  "journal": { "description": "There where a hot rollback journal was applied in memory.", "const": "applied" },
                  "accessTimes": { "description": "Whether reading left the files' access times alone.", "enum": ["kept", "mayHaveChanged"] },
                  "reasons": { "description": "Why it is not complete, or why that is not known.", "type": "array", "items": { "type": "string" } },
                  "unread": { "description": "What the store has and what could not be read of it, besides rows: its metadata, or its model cache.", "type": "array", "items": { "type": "string" } },
                  "damage": { "description": "What is damaged of the tables that were read.", "type": "array", "items": { "type": "string" } }
                }
              },
              "asOf": { "description": "The commit of its write-ahead log as of which the store was read; absent where all of it was.", "type": "object", "additionalProperties": false, "required": ["commit", "commits"], "properties": { "commit": { "description": "Counted from 1; 0 is before the first.", "type": "integer", "minimum": 0 }, "commits": { "description": "How many the log has.", "type": "integer", "minimum": 0 } } },
              "hashes": { "description": "Entity to version hash, in hex digits.", "type": "object", "additionalProperties": { "type": "string", "pattern": "^[0-9a-f]{64}$" } },
              "fingerprint": { "description": "SHA-256 over the main file and the committed frames of the WAL.", "type": "string", "pattern": "^[0-9a-f]{64}$" },
              "files": {
                "description": "The main file first, then what lies beside it.",
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["role", "bytes"],
                  "properties": {
                    "role": { "enum": ["main", "wal", "shm", "journal", "support"] },
                    "bytes": { "type": "integer", "minimum": 0 },
                    "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" }
                  }
                }
              },
              "journalMode": { "enum": ["wal", "delete"] },
              "pageSize": { "enum": [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536] },
              "freePages": { "type": "integer", "minimum": 0 },
              "wal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["frames", "committedFrames", "framesNotInMain", "belongsToStore", "reasons", "read"],
                "properties": {
                  "frames": { "type": "integer", "minimum": 0 },
                  "committedFrames": { "type": "integer", "minimum": 0 },
                  "framesNotInMain": { "type": "integer", "minimum": 0 },
                  "belongsToStore": { "enum": ["yes", "no", "unknown"] },
                  "reasons": { "type": "array", "items": { "type": "string" } },
                  "read": { "description": "Whether the rows that are shown include it.", "type": "boolean" }
                }
              },
              "hotJournal": {
                "type": "object",
                "additionalProperties": false,
                "required": ["pagesRestored"],
                "properties": { "pagesRestored": { "type": "integer", "minimum": 0 } }
              },
              "accessTimesKept": { "type": "boolean" }
            }
          },
          "column": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "type"],
            "properties": {
              "name": { "type": "string" },
              "type": { "description": "As Xcode has it ('Integer 16', 'Date'), 'to-one Folder', 'to-many Tag', 'ordered to-many Tag', 'key', 'entity', 'version', 'state', or 'stored' for a column that no model describes.", "type": "string" }
            }
          },
          "value": {
            "description": "NULL is null. Dates are ISO 8601 in UTC with their whole fraction, or numbers with --date-format. UUIDs and URIs are texts. A to-one is a key, a to-many a list of keys in its order. A value that is not of the model's type is shown as it is stored.",
            "anyOf": [
              { "type": ["null", "boolean", "integer", "number", "string"] },
              { "type": "array", "items": { "type": "integer" } },
              { "$ref": "#/$defs/bytes" },
              { "$ref": "#/$defs/invalidText" },
              { "$ref": "#/$defs/missingFile" }
            ]
          },
          "bytes": {
            "description": "A binary or transformable value.",
            "type": "object",
            "additionalProperties": false,
            "required": ["length"],
            "properties": {
              "length": { "description": "In bytes.", "type": "integer", "minimum": 0 },
              "class": { "description": "The class of a keyed archive's root.", "type": "string" },
              "archive": { "description": "What a keyed archive holds: texts, numbers, dates, lists and dictionaries plainly; other objects with their class under '$class'." },
              "propertyList": { "description": "What a property list holds that is no archive." },
              "json": { "description": "What JSON text holds, as SwiftData keeps Codable values." },
              "file": { "description": "With --external, the file in its folder that has the bytes.", "type": "string" },
              "base64": { "description": "The bytes: with --binary, and of a transformable that cannot be read.", "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" }
            }
          },
          "invalidText": {
            "description": "A text that is not valid UTF-8.",
            "type": "object",
            "additionalProperties": false,
            "required": ["text", "base64"],
            "properties": {
              "text": { "description": "With U+FFFD for what is no text.", "type": "string" },
              "base64": { "description": "As it is stored.", "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" }
            }
          },
          "missingFile": {
            "description": "The name of an external file that does not exist or cannot be read.",
            "type": "object",
            "additionalProperties": false,
            "required": ["missing file"],
            "properties": { "missing file": { "type": "string" } }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "salvage", id: "storedoctor.salvage/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.salvage/1",
        "title": "storedoctor.salvage/1",
        "description": "What `storedoctor salvage --format json` prints of the store that it saved.",
        "type": "object",
        "additionalProperties": false,
        "required": [
          "schema",
          "tool",
          "store",
          "reading",
          "output",
          "saved",
          "doubtful",
          "keepsDoubtful",
          "isWhole",
          "tables",
          "notes",
          "madeAnew",
          "notMade",
          "pages",
          "damagedPages",
          "rows",
          "diagnosis"
        ],
        "properties": {
          "schema": {
            "const": "storedoctor.salvage/1"
          },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "version"
            ],
            "properties": {
              "version": {
                "type": "string",
                "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"
              }
            }
          },
          "store": {
            "description": "The damaged store.",
            "type": "string"
          },
          "reading": {
            "description": "What the answer rests on.",
            "type": "object",
            "additionalProperties": false,
            "required": ["complete", "sound", "log", "accessTimes"],
            "properties": {
              "complete": { "description": "Whether all that was saved is in what was read.", "enum": ["yes", "no", "unknown"] },
              "sound": { "description": "Whether the tables that were read show all their rows; unknown where pages were not looked at.", "enum": ["yes", "no", "unknown"] },
              "log": { "description": "What became of the write-ahead log: read; none; foreign, so not read; or leftOut, as was asked for.", "enum": ["read", "none", "foreign", "leftOut"] },
              "namedLog": { "description": "The log that --wal named, which was read in place of the one beside the store.", "type": "string" },
              "fittingLogs": { "description": "Logs beside the store under other names that fit and were not read.", "type": "array", "items": { "type": "string" } },
              "unfinishedRepair": { "description": "The journal of a repair in place that stopped before its end, beside the store.", "type": "string" },
              "abandonedJournal": { "description": "The folder that a repair in place or an undo left when it was ended before it changed anything.", "type": "string" },
              "journal": { "description": "There where a hot rollback journal was applied in memory.", "const": "applied" },
              "accessTimes": { "description": "Whether reading left the files' access times alone.", "enum": ["kept", "mayHaveChanged"] },
              "reasons": { "description": "Why it is not complete, or why that is not known.", "type": "array", "items": { "type": "string" } },
              "unread": { "description": "What the store has and what could not be read of it, besides rows: its metadata, or its model cache.", "type": "array", "items": { "type": "string" } },
              "damage": { "description": "What is damaged of the tables that were read.", "type": "array", "items": { "type": "string" } }
            }
          },
          "output": {
            "description": "The new store.",
            "type": "string"
          },
          "saved": {
            "description": "Rows that were written and are sure.",
            "type": "integer",
            "minimum": 0
          },
          "doubtful": {
            "description": "Rows that are doubtful or torn: left out, or written with --doubtful.",
            "type": "integer",
            "minimum": 0
          },
          "keepsDoubtful": {
            "description": "Whether doubtful rows were written.",
            "type": "boolean"
          },
          "isWhole": {
            "description": "Whether no row is lost or doubtful, and nothing of the schema is missing.",
            "type": "boolean"
          },
          "tables": {
            "description": "The tables with rows, in the order of the schema.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": [
                "name",
                "entities",
                "doubtful",
                "torn",
                "lost"
              ],
              "properties": {
                "name": {
                  "type": "string"
                },
                "entities": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": [
                      "saved"
                    ],
                    "properties": {
                      "name": {
                        "description": "Absent for a table that is none of an entity's.",
                        "type": "string"
                      },
                      "saved": {
                        "type": "integer",
                        "minimum": 0
                      }
                    }
                  }
                },
                "doubtful": {
                  "type": "integer",
                  "minimum": 0
                },
                "torn": {
                  "description": "Rows of which a part is lost; among the doubtful ones.",
                  "type": "integer",
                  "minimum": 0
                },
                "lost": {
                  "description": "Keys on pages that cannot be read, ascending.",
                  "type": "array",
                  "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": [
                      "first",
                      "last"
                    ],
                    "properties": {
                      "first": {
                        "type": "integer"
                      },
                      "last": {
                        "type": "integer"
                      }
                    }
                  }
                },
                "lostKeys": {
                  "description": "How many of these keys were handed out at most, deleted ones among them; absent where that is not known.",
                  "type": "integer",
                  "minimum": 0
                }
              }
            }
          },
          "notes": {
            "description": "What the files had: a lost header, missing pages, a log that was not read.",
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "madeAnew": {
            "description": "What is not the store's own.",
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "notMade": {
            "description": "What of the schema could not be made again.",
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "pages": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "all",
              "withRows",
              "unreached",
              "older",
              "unclear",
              "blank",
              "damaged"
            ],
            "properties": {
              "all": {
                "type": "integer",
                "minimum": 0
              },
              "withRows": {
                "description": "Leaves of which rows were written.",
                "type": "integer",
                "minimum": 0
              },
              "unreached": {
                "description": "Those of them to which no tree leads.",
                "type": "integer",
                "minimum": 0
              },
              "older": {
                "description": "Leaves that look like an older state of others, or are free.",
                "type": "integer",
                "minimum": 0
              },
              "unclear": {
                "description": "Leaves whose rows fit no table, or several.",
                "type": "integer",
                "minimum": 0
              },
              "blank": {
                "description": "Pages of nothing but zeros.",
                "type": "integer",
                "minimum": 0
              },
              "damaged": {
                "description": "Leaves that are damaged in part and may have had more rows than were found.",
                "type": "integer",
                "minimum": 0
              }
            }
          },
          "damagedPages": {
            "description": "The leaves that may have had more rows than were found, the first 1,000 of them.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": [
                "table",
                "page",
                "found",
                "first",
                "last"
              ],
              "properties": {
                "table": {
                  "type": "string"
                },
                "page": {
                  "type": "integer",
                  "minimum": 1
                },
                "found": {
                  "description": "Rows that were found on it, doubtful ones among them.",
                  "type": "integer",
                  "minimum": 0
                },
                "stated": {
                  "description": "Rows that its header counts; absent where it has not the room for so many.",
                  "type": "integer",
                  "minimum": 0
                },
                "first": {
                  "description": "The first key that a lost row of it can have had.",
                  "type": "integer"
                },
                "last": {
                  "description": "The last key that a lost row of it can have had.",
                  "type": "integer"
                }
              }
            }
          },
          "rows": {
            "description": "The rows that are doubtful, the first 1,000 of them.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": [
                "table",
                "key",
                "page",
                "why"
              ],
              "properties": {
                "table": {
                  "type": "string"
                },
                "key": {
                  "type": "integer"
                },
                "page": {
                  "type": "integer",
                  "minimum": 0
                },
                "why": {
                  "enum": [
                    "torn",
                    "damaged",
                    "contested",
                    "taken"
                  ]
                }
              }
            }
          },
          "diagnosis": {
            "description": "The diagnosis of the new store, a storedoctor.diagnosis/2.",
            "type": "object"
          }
        }
      }

      """#),
  JSONSchema(
    kind: "sample", id: "storedoctor.sample/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.sample/1",
        "title": "storedoctor.sample/1",
        "description": "What `storedoctor model sample --format json` prints of the store it made.",
        "type": "object",
        "additionalProperties": false,
        "required": [
          "schema",
          "tool",
          "output",
          "model",
          "kind",
          "seed",
          "objects",
          "links",
          "entities",
          "notKept",
          "limits"
        ],
        "properties": {
          "schema": {
            "const": "storedoctor.sample/1"
          },
          "tool": {
            "type": "object",
            "additionalProperties": false,
            "required": [
              "version"
            ],
            "properties": {
              "version": {
                "type": "string",
                "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"
              }
            }
          },
          "output": {
            "description": "The store that was made.",
            "type": "string"
          },
          "model": {
            "description": "The model, and its version that the store is of.",
            "type": "object",
            "additionalProperties": false,
            "required": [
              "path",
              "version"
            ],
            "properties": {
              "path": {
                "type": "string"
              },
              "version": {
                "type": "string"
              }
            }
          },
          "like": {
            "description": "The store whose numbers of objects, NULLs and links it has; absent for those of the kind.",
            "type": "string"
          },
          "kind": {
            "enum": [
              "minimal",
              "typical",
              "edge"
            ]
          },
          "rows": {
            "description": "The objects asked for of each entity; absent where the kind decides.",
            "type": "integer",
            "minimum": 1
          },
          "seed": {
            "description": "The seed as text: numbers of 64 bits lose digits in many readers.",
            "type": "string",
            "pattern": "^[0-9]+$"
          },
          "objects": {
            "description": "All objects.",
            "type": "integer",
            "minimum": 0
          },
          "links": {
            "description": "Links between objects; those stored on both sides count once.",
            "type": "integer",
            "minimum": 0
          },
          "entities": {
            "description": "The entities that can have objects, in the order of their numbers.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": [
                "name",
                "objects"
              ],
              "properties": {
                "name": {
                  "type": "string"
                },
                "objects": {
                  "type": "integer",
                  "minimum": 0
                }
              }
            }
          },
          "notKept": {
            "description": "Warnings that `storedoctor diagnose` gives of the store: rules of the model that could not be kept.",
            "type": "array",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": [
                "id",
                "count",
                "message"
              ],
              "properties": {
                "id": {
                  "description": "The check.",
                  "type": "string",
                  "pattern": "^SD[0-9]{3}$"
                },
                "entity": {
                  "type": "string"
                },
                "property": {
                  "type": "string"
                },
                "count": {
                  "description": "How many objects.",
                  "type": "integer",
                  "minimum": 1
                },
                "message": {
                  "type": "string"
                }
              }
            }
          },
          "limits": {
            "description": "What the store does not have, or what is not as the app would write it, one sentence each.",
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        }
      }

      """#),
  JSONSchema(
    kind: "timeline", id: "storedoctor.timeline/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.timeline/1",
        "title": "storedoctor.timeline/1",
        "description": "One line of `storedoctor timeline --format jsonl`, in the form that Timesketch imports. The CSV has the same fields, with lists and objects as text.",
        "type": "object",
        "additionalProperties": false,
        "required": [
          "message",
          "datetime",
          "timestamp",
          "timestamp_desc",
          "event"
        ],
        "properties": {
          "message": {
            "description": "What happened, in words.",
            "type": "string"
          },
          "datetime": {
            "description": "ISO 8601, UTC. Of an event whose time is only bounded, the bound that timestamp_desc names.",
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}\\+00:00$"
          },
          "timestamp": {
            "description": "The same in microseconds since 1970.",
            "type": "integer"
          },
          "timestamp_desc": {
            "description": "What the time is of; ends with '(not before)' or '(not after)' where it is only a bound.",
            "type": "string"
          },
          "event": {
            "enum": [
              "date",
              "transaction",
              "insert",
              "update",
              "delete",
              "change",
              "commit",
              "deletion",
              "replaced",
              "metadata"
            ]
          },
          "store": {
            "description": "The store's path; only with --all.",
            "type": "string"
          },
          "entity": {
            "description": "Its name in Z_PRIMARYKEY.",
            "type": "string"
          },
          "key": {
            "description": "The object's key, Z_PK.",
            "type": "integer"
          },
          "attribute": {
            "description": "Of a date: the attribute; of metadata: the key.",
            "type": "string"
          },
          "properties": {
            "description": "Of an update: the changed properties; absent where they are not known.",
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "tombstones": {
            "description": "Of a deletion: what is kept of the object, by attribute; by column where the attribute is not known.",
            "type": "object",
            "additionalProperties": {
              "type": "string"
            }
          },
          "author": {
            "type": "string"
          },
          "context": {
            "type": "string"
          },
          "bundle": {
            "type": "string"
          },
          "process": {
            "type": "string"
          },
          "transaction": {
            "description": "The key of the history transaction.",
            "type": "integer"
          },
          "commit": {
            "description": "The number of the commit in the write-ahead log.",
            "type": "integer"
          },
          "not_before": {
            "type": "string"
          },
          "not_after": {
            "type": "string"
          }
        }
      }

      """#),
  JSONSchema(
    kind: "triage", id: "storedoctor.triage/1",
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "storedoctor.triage/1",
        "title": "storedoctor.triage/1",
        "description": "What `storedoctor PATH... --format json` prints: what the things are that were named without a command, and what is wrong with the stores among them.",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema", "tool", "things", "models", "logs", "notes"],
        "properties": {
          "schema": { "const": "storedoctor.triage/1" },
          "tool": { "type": "object", "additionalProperties": false, "required": ["version"], "properties": {"version": {"type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"}} },
          "things": { "description": "What was named, in that order; a side file beside its store stands for the store.", "type": "array", "items": { "$ref": "#/$defs/thing" } },
          "models": { "description": "The models that were found.", "type": "array", "items": { "$ref": "#/$defs/model" } },
          "logs": { "description": "Texts that say something of Core Data or SQLite, and error numbers.", "type": "array", "items": { "type": "object", "additionalProperties": false, "required": ["name", "explanation"], "properties": { "name": { "type": "string" }, "explanation": { "description": "A document storedoctor.explanation/2.", "type": "object" } } } },
          "notes": { "description": "What was not looked at, or not used, and why; a sentence each.", "type": "array", "items": { "type": "string" } },
          "diagnosis": { "description": "A document storedoctor.diagnosis/2, where there is one store.", "type": "object" },
          "stores": { "$ref": "#/$defs/stores" },
          "unreadable": { "description": "Why the only store cannot be read.", "type": "string" }
        },
        "$defs": {
          "thing": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "isPlace", "stores", "holdsModel", "isMapping", "logs"],
            "properties": {
              "name": { "description": "As it was named.", "type": "string" },
              "isPlace": { "description": "Whether it is a folder, an archive or a backup.", "type": "boolean" },
              "stores": { "description": "Stores in it; of several not all.", "type": "array", "items": { "type": "string" } },
              "holdsModel": { "description": "Whether it is a model, or has one in it; of a place with several stores this is not looked for.", "type": "boolean" },
              "isMapping": { "description": "Whether it is a mapping model.", "type": "boolean" },
              "logs": { "type": "array", "items": { "type": "string" } },
              "writeAheadLog": { "description": "Its path, where it is a write-ahead log whose store does not lie beside it.", "type": "string" },
              "leavesOutStores": { "description": "Whether it has stores that were not looked at, since it was named for its model.", "type": "boolean" },
              "unreadable": { "description": "Databases that could not be read; they may be stores.", "type": "array", "items": { "type": "string" } },
              "incomplete": { "description": "Why it may hold more stores.", "type": "string" },
              "problem": { "description": "What it is, where nothing could be made of it.", "type": "string" }
            }
          },
          "model": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name"],
            "properties": {
              "name": { "description": "The thing it lies in, as it can be given with --model.", "type": "string" },
              "path": { "description": "The model's own path.", "type": "string" },
              "versions": { "type": "array", "items": { "type": "string" } },
              "current": { "type": "string" },
              "problem": { "description": "Why it was not used.", "type": "string" }
            }
          },
          "stores": {
            "description": "Several stores, the gravest first.",
            "type": "object",
            "additionalProperties": false,
            "required": ["count", "severities", "notWhole", "gravest", "others", "othersLeft"],
            "properties": {
              "count": { "type": "integer", "minimum": 0 },
              "severities": { "description": "Stores by their worst severity.", "type": "object", "additionalProperties": false, "required": ["note", "warning", "error"], "properties": { "note": { "type": "integer", "minimum": 0 }, "warning": { "type": "integer", "minimum": 0 }, "error": { "type": "integer", "minimum": 0 } } },
              "notWhole": { "description": "Stores that may hold more than what was read.", "type": "integer", "minimum": 0 },
              "touched": { "description": "Stores of whose files reading may have changed the access times, since they belong to another user.", "type": "integer", "minimum": 1 },
              "gravest": { "description": "At most 20.", "type": "array", "items": { "$ref": "#/$defs/listed" } },
              "devices": { "description": "Backups that stores lie in, and what they say of the device, its system, the date and whether they are complete.", "type": "array", "items": { "type": "object", "additionalProperties": false, "required": ["place", "words"], "properties": { "place": { "type": "string" }, "words": { "type": "string" } } } },
              "others": { "description": "What could not be read, and is no store; at most 20.", "type": "array", "items": { "$ref": "#/$defs/listed" } },
              "othersLeft": { "description": "How many more of these there are.", "type": "integer", "minimum": 0 }
            }
          },
          "listed": {
            "type": "object",
            "additionalProperties": false,
            "required": ["path", "verdict", "more"],
            "properties": {
              "path": { "type": "string" },
              "severity": { "enum": ["note", "warning", "error"] },
              "verdict": { "description": "The verdict of a diagnosis, or the status of a line of an audit.", "type": "string" },
              "message": { "description": "The problem, or the gravest finding.", "type": "string" },
              "more": { "description": "How many more findings of that severity there are.", "type": "integer", "minimum": 0 },
              "bytes": { "type": "integer", "minimum": 0 },
              "container": { "description": "The app or group in whose container it lies, where the path does not say so.", "type": "string" },
              "rows": { "type": "integer", "minimum": 0 },
              "remarks": { "description": "What the answer leaves open.", "type": "array", "items": { "type": "string" } }
            }
          }
        }
      }

      """#),
]
