"""Models in PMML 4: trees and rule sets."""
